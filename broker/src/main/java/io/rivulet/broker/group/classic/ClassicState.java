package io.rivulet.broker.group.classic;

import java.util.HashSet;
import java.util.Set;

/** Where a classic group stands, and what it knows there only. {@link ClassicGroup} has the table of transitions. */
sealed interface ClassicState {
    String kafkaName();

    /** Nobody is a member. */
    record Empty() implements ClassicState {
        @Override
        public String kafkaName() {
            return "Empty";
        }
    }

    /** Members are asked to join again, and those that have wait for the others. */
    final class PreparingRebalance implements ClassicState {
        /** How much longer it may wait for the first members of all; not positive when it waits for known ones. */
        long initialDelayLeftMillis;

        /** Whether the first members shall be waited for, whoever is there. */
        boolean initial;

        /** Since the delay was begun. */
        boolean memberAdded;

        @Override
        public String kafkaName() {
            return "PreparingRebalance";
        }
    }

    /** All have joined; the leader is making the assignment. */
    final class CompletingRebalance implements ClassicState {
        /** Who has not asked for an assignment yet. */
        final Set<String> membersToSync;
        /** The assignment is on its way into the log. */
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
