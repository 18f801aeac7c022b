package io.rivulet.broker.group.streams;

import io.rivulet.broker.group.base.Items;
import io.rivulet.protocol.record.Varints;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The epochs in which a member got its active tasks. It may commit an offset for a task with any epoch since then: a
 * response with a new epoch may be on its way, or a commit with the epoch before.
 *
 * <p>If there are too many different epochs, the oldest count as the newest of them. So a very late commit may be
 * refused, and none is accepted wrongly.
 *
 * <pre>
 * encoded: varint number of epochs | for each, in ascending order: epoch 4, set as in {@link TaskSet}
 * </pre>
 *
 * <p>Immutable.
 */
final class TaskEpochs {
    static final TaskEpochs NONE = new TaskEpochs(List.of());

    private static final int MAX_EPOCHS = 16;

    private record Since(int epoch, TaskSet tasks) {}

    /** In ascending order of epochs. */
    private final List<Since> all;

    private TaskEpochs(List<Since> all) {
        this.all = all;
    }

    /**
     * The epochs after a change.
     *
     * @param kept tasks that keep their epochs, if they have any
     * @param present all tasks that the member has after the change; the others get the epoch
     */
    TaskEpochs changed(TaskSet kept, TaskSet present, int epoch) {
        List<Since> after = new ArrayList<>(all.size() + 1);
        TaskSet added = present;
        for (Since since : all) {
            TaskSet still = since.tasks.intersect(kept).intersect(present);
            add(after, since.epoch, still);
            added = added.minus(still);
        }
        add(after, epoch, added);
        if (after.size() > MAX_EPOCHS) {
            Since oldest = after.remove(0);
            Since next = after.get(0);
            after.set(0, new Since(next.epoch, next.tasks.union(oldest.tasks)));
        }
        return new TaskEpochs(List.copyOf(after));
    }

    private static void add(List<Since> to, int epoch, TaskSet tasks) {
        if (tasks.isEmpty()) {
            return;
        }
        int last = to.size() - 1;
        if (last >= 0 && to.get(last).epoch >= epoch) {
            to.set(last, new Since(to.get(last).epoch, to.get(last).tasks.union(tasks)));
        } else {
            to.add(new Since(epoch, tasks));
        }
    }

    /** Whether the member had the task in the epoch, and has it since then. */
    boolean hasSince(String subtopology, int partition, int epoch) {
        for (Since since : all) {
            if (since.epoch <= epoch && since.tasks.contains(subtopology, partition)) {
                return true;
            }
        }
        return false;
    }

    // ---- bytes ----

    /** The most bytes that {@link #encode} writes. */
    int encodedBytes() {
        int bytes = Items.VARINT_BYTES;
        for (Since since : all) {
            bytes += Integer.BYTES + since.tasks.encodedBytes();
        }
        return bytes;
    }

    void encode(ByteBuffer out) {
        Varints.putUnsigned(out, all.size());
        for (Since since : all) {
            out.putInt(since.epoch);
            since.tasks.encode(out);
        }
    }

    static TaskEpochs decode(ByteBuffer in) {
        List<Since> all = new ArrayList<>();
        for (int left = Varints.takeUnsigned(in); left > 0; left--) {
            all.add(new Since(in.getInt(), TaskSet.decode(in)));
        }
        return new TaskEpochs(List.copyOf(all));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof TaskEpochs that && all.equals(that.all);
    }

    @Override
    public int hashCode() {
        return all.hashCode();
    }
}
