package io.rivulet.broker.group.consumer;

import io.rivulet.broker.config.ConsumerGroupSettings;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.group.base.GroupContext;
import io.rivulet.broker.topic.Topic;
import io.rivulet.broker.topic.TopicCatalogue;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What a group of the consumer protocol has around it, beyond what all groups have. Immutable. */
public record ConsumerSurroundings(
        GroupContext around,
        ConsumerGroupSettings settings,
        TopicCatalogue topics,
        Matcher matcher,
        SharingTurns turns) {
    /** Compiles regular expressions, and finds topics with them, elsewhere: both take long. */
    public interface Matcher {
        /** @param checked called on the thread that owns the groups: with null when it is one, or with why it is refused */
        void check(String regex, Consumer<@Nullable RefusedException> checked);

        void match(Search search);
    }

    /**
     * What a group wants to have found.
     *
     * @param wanted asked on any thread: false when nobody waits for it any more
     * @param found called on the thread that owns the groups; not any more when nobody waits
     */
    public record Search(Set<String> regexes, BooleanSupplier wanted, Consumer<Found> found) {}

    /**
     * The topics that match each of the expressions. Immutable.
     *
     * @param complete false when they were too many; then there are none
     * @param nanos how long it took
     */
    public record Found(Map<String, List<Topic>> topics, boolean complete, long nanos) {}
}
