package io.rivulet.broker.group.classic;

import java.util.HashSet;
import java.util.Set;

/** The state of a classic group, with the data of that state. {@link ClassicRebalance} has the table of transitions. */
sealed interface ClassicState {
    String kafkaName();

    /** There are no members. */
    record Empty() implements ClassicState {
        @Override
        public String kafkaName() {
            return "Empty";
        }
    }

    /** All members must join again; those that have joined wait for the others. */
    final class PreparingRebalance implements ClassicState {
        /** How much longer the initial delay may last; not positive if the group waits for known members. */
        long initialDelayLeftMillis;

        /** Whether the initial delay runs, which waits for first members. */
        boolean initial;

        /** Whether a member joined since the delay started. */
        boolean memberAdded;

        @Override
        public String kafkaName() {
            return "PreparingRebalance";
        }
    }

    /** All have joined; the leader is making the assignment. */
    final class CompletingRebalance implements ClassicState {
        /** The members that have not synced yet. */
        final Set<String> membersToSync;
        /** The assignment is in flight to the log. */
        boolean storing;

        CompletingRebalance(Set<String> members) {
            membersToSync = new HashSet<>(members);
        }

        @Override
        public String kafkaName() {
            return "CompletingRebalance";
        }
    }

    /** Members have their assignments. */
    record Stable(Set<String> membersToSync) implements ClassicState {
        @Override
        public String kafkaName() {
            return "Stable";
        }
    }
}
