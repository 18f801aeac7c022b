package io.rivulet.broker.group.consumer;

import java.util.LinkedHashMap;
import java.util.Map;

/** Which parts of a group differ from what its last entry in the log says. Owned by: the coordinator thread. */
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

    boolean isGroupDirty() {
        return group;
    }

    /** The parts of each member that is dirty; one that the group doesn't have any more is gone. */
    Map<String, Integer> members() {
        return members;
    }

    /** What was taken did not get into the log. */
    void addAll(ChangedParts other) {
        group |= other.group;
        other.members.forEach(this::member);
    }
}
