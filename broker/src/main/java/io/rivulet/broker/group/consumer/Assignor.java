package io.rivulet.broker.group.consumer;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Shares the queues of a group among its members. A pure function; the name is the one that clients ask for. */
enum Assignor {
    /** Equal shares, and what a member has it keeps as far as that allows. */
    UNIFORM("uniform") {
        @Override
        void assign(List<Assignee> assignees, List<QueueSet> topics) {
            UniformAssignor.assign(assignees);
        }
    },
    /** Of each topic a run of partitions in a row, the same for topics of the same size. */
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

    /** Null when there is none of that name. */
    static @Nullable Assignor named(String name) {
        for (Assignor assignor : values()) {
            if (assignor.wireName.equals(name)) {
                return assignor;
            }
        }
        return null;
    }

    /**
     * Gives each share its queues: every queue that some member may have goes to one that may.
     *
     * @param assignees in an order that depends on nothing but the members' ids
     * @param topics what belongs together, in the order of queue ids
     */
    abstract void assign(List<Assignee> assignees, List<QueueSet> topics);

    /** A member as an assignor sees it. */
    static final class Assignee {
        final ConsumerMember member;
        /** What its subscription allows. */
        final QueueSet eligible;
        /** Before: what it has. After: what it shall have. */
        QueueSet queues;

        Assignee(ConsumerMember member, QueueSet eligible, QueueSet queues) {
            this.member = member;
            this.eligible = eligible;
            this.queues = queues;
        }
    }
}
