package io.rivulet.store.simulation;

import java.util.List;

/** One entry of the log, as the model applies it. */
public interface Entry {
    void applyTo(Model model);

    record Append(int queueId, Batch batch) implements Entry {
        @Override
        public void applyTo(Model model) {
            model.append(queueId, batch);
        }
    }

    /** All of them or none. */
    record Together(List<Entry> entries) implements Entry {
        @Override
        public void applyTo(Model model) {
            entries.forEach(entry -> entry.applyTo(model));
        }
    }

    /** Ids follow from what was stored before: a refused creation leaves its ids to the next one. */
    record Create(int count, int retentionClass) implements Entry {
        @Override
        public void applyTo(Model model) {
            model.create(model.idLimit(), count, retentionClass);
        }
    }

    /** Sets limits for the content of a class. This alone changes no queue. */
    record Limits(int retentionClass) implements Entry {
        @Override
        public void applyTo(Model model) {}
    }

    record Delete(int firstQueueId, int count) implements Entry {
        @Override
        public void applyTo(Model model) {
            model.delete(firstQueueId, count);
        }
    }

    record Trim(int queueId, long startOffset) implements Entry {
        @Override
        public void applyTo(Model model) {
            model.trim(queueId, startOffset);
        }
    }

    record State(int viewId, Batch bytes) implements Entry {
        @Override
        public void applyTo(Model model) {
            model.state(viewId, bytes.bytes());
        }
    }
}
