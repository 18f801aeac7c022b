package io.rivulet.broker.group.base;

import java.util.LinkedHashMap;
import java.util.Map;

/** The parts of a group that have changed since its last entry in the log. Owned by: the coordinator thread. */
public final class ChangedParts {
    // parts of a member
    public static final int MEMBER = 1;
    public static final int CURRENT = 2;
    public static final int TARGET = 4;

    // parts of a group
    public static final int EPOCHS = 1;
    public static final int TOPOLOGY = 2;

    private final Map<String, Integer> members = new LinkedHashMap<>();
    private int group;

    public void group(int parts) {
        group |= parts;
    }

    public void member(String memberId, int parts) {
        members.merge(memberId, parts, (before, more) -> before | more);
    }

    public boolean isEmpty() {
        return group == 0 && members.isEmpty();
    }

    public boolean isGroupChanged(int part) {
        return (group & part) != 0;
    }

    /** The changed parts of each changed member. A member that is not in the group was removed. */
    public Map<String, Integer> members() {
        return members;
    }

    /** Adds changes whose entry was not stored. */
    void addAll(ChangedParts other) {
        group |= other.group;
        other.members.forEach(this::member);
    }
}
