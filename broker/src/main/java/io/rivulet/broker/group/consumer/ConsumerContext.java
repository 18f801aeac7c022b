package io.rivulet.broker.group.consumer;

import io.rivulet.broker.access.Access;
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

/** The environment of a group of the consumer protocol, beyond {@link GroupContext}. Immutable. */
public record ConsumerContext(
        GroupContext group,
        ConsumerGroupSettings settings,
        ConsumerGroupTimeouts timeouts,
        TopicCatalogue topics,
        Matcher matcher,
        AssignmentTurns turns) {
    /** Compiles regular expressions and finds matching topics on another thread, because both take long. */
    public interface Matcher {
        /** @param checked called on the coordinator thread: with null if it is valid, or with the refusal */
        void check(String regex, Consumer<@Nullable RefusedException> checked);

        void match(Search search);
    }

    /**
     * A search for the topics that match a group's regular expressions.
     *
     * @param access of the client that asks: topics that it may not describe do not match
     * @param wanted called on any thread: false when the result is no longer needed
     * @param found called on the coordinator thread, unless the result is no longer needed
     */
    public record Search(Set<String> regexes, Access access, BooleanSupplier wanted, Consumer<Found> found) {}

    /**
     * The topics that match each of the expressions. Immutable.
     *
     * @param complete false if there were too many; then the lists are empty
     * @param nanos the time that the search took
     */
    public record Found(Map<String, List<Topic>> topics, boolean complete, long nanos) {}
}
