package io.rivulet.broker.group.consumer;

import io.rivulet.broker.topic.Topic;
import io.rivulet.broker.topic.TopicCatalogue;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** What a group needs of the world. Called on the thread that owns the groups, and calls back on it. */
public interface Surroundings {
    /** Rings once, when it is set to; made once, and set as often as needed. */
    interface Alarm {
        void ringIn(long millis);

        void cancel();
    }

    ConsumerGroupSettings settings();

    TopicCatalogue topics();

    /** A monotonic clock. */
    long nowMillis();

    Alarm alarm(Runnable action);

    /** Finds the topics that match, for each of the regular expressions, elsewhere; then comes back. */
    void match(Set<String> regexes, Consumer<Map<String, List<Topic>>> found);

    /** The group has changes for the log that no request waits for. */
    void changed(ConsumerGroup group);
}
