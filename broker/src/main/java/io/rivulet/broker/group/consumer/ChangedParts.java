package io.rivulet.broker.group.consumer;

import java.util.LinkedHashMap;
import java.util.Map;

/** The parts of a group that have changed since its last entry in the log. Owned by: the coordinator thread. */
final class ChangedParts {
    static final int MEMBER = 1;
    static final int CURRENT = 2;
    static final int TARGET = 4;

    private final Map<String, Integer> members = new LinkedHashMap<>();
    private boolean group;

    void group() {
        group = true;
    }

    void member(String memberId, int parts) {
        members.merge(memberId, parts, (before, more) -> before | more);
    }

    boolean isEmpty() {
        return !group && members.isEmpty();
    }

    boolean isGroupChanged() {
        return group;
    }

    /** The changed parts of each changed member. A member that is not in the group was removed. */
    Map<String, Integer> members() {
        return members;
    }

    /** Adds changes whose entry was not stored. */
    void addAll(ChangedParts other) {
        group |= other.group;
        other.members.forEach(this::member);
    }
}
