package io.rivulet.broker.group.base;

import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A client that commits offsets, as its request describes it.
 *
 * @param generation or member epoch; below 0 if the client is no member
 * @param knowsEpochs whether members of the consumer protocol may use this version of the API
 * @param queues the queues whose offsets it commits
 */
public record OffsetCommitter(
        String memberId, @Nullable String instanceId, int generation, boolean knowsEpochs, Queues queues) {
    /** The queues of a request. */
    @FunctionalInterface
    public interface Queues {
        /** Whether all pass; stops at the first one that does not. */
        boolean allMatch(IntPredicate check);
    }
}
