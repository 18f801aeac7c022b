package io.rivulet.broker.group.consumer;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Assigns the queues of a group to its members. A pure function; clients choose it by its name. */
enum Assignor {
    /** Balanced; members keep the queues that they have, as far as the balance allows. */
    UNIFORM("uniform") {
        @Override
        void assign(List<Assignee> assignees, List<QueueSet> topics) {
            UniformAssignor.assign(assignees);
        }
    },
    /** Contiguous partitions of each topic; topics of the same size are assigned alike. */
    RANGE("range") {
        @Override
        void assign(List<Assignee> assignees, List<QueueSet> topics) {
            RangeAssignor.assign(assignees, topics);
        }
    };

    private final String wireName;

    Assignor(String wireName) {
        this.wireName = wireName;
    }

    String wireName() {
        return wireName;
    }

    /** Null if there is none with that name. */
    static @Nullable Assignor named(String name) {
        for (Assignor assignor : values()) {
            if (assignor.wireName.equals(name)) {
                return assignor;
            }
        }
        return null;
    }

    /**
     * Assigns every queue that some member is eligible for to one eligible member.
     *
     * @param assignees in an order that depends on the members' ids only
     * @param topics the queues of each topic, in the order of queue ids
     */
    abstract void assign(List<Assignee> assignees, List<QueueSet> topics);

    /** A member as an assignor sees it. */
    static final class Assignee {
        final ConsumerMember member;
        /** The queues that its subscription allows. */
        final QueueSet eligible;
        /** Before the call: its present queues. Afterwards: its new ones. */
        QueueSet queues;

        Assignee(ConsumerMember member, QueueSet eligible, QueueSet queues) {
            this.member = member;
            this.eligible = eligible;
            this.queues = queues;
        }
    }
}
