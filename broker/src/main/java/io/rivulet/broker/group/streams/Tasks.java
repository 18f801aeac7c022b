package io.rivulet.broker.group.streams;

/**
 * The tasks of a member: those that it processes, and those whose state it keeps up to date for a fail-over. Immutable.
 */
record Tasks(TaskSet active, TaskSet standby) {
    static final Tasks NONE = new Tasks(TaskSet.EMPTY, TaskSet.EMPTY);

    boolean isEmpty() {
        return active.isEmpty() && standby.isEmpty();
    }

    int size() {
        return active.size() + standby.size();
    }

    Tasks union(Tasks other) {
        return new Tasks(active.union(other.active), standby.union(other.standby));
    }

    Tasks minus(Tasks other) {
        return new Tasks(active.minus(other.active), standby.minus(other.standby));
    }

    Tasks intersect(Tasks other) {
        return new Tasks(active.intersect(other.active), standby.intersect(other.standby));
    }

    boolean intersects(Tasks other) {
        return active.intersects(other.active) || standby.intersects(other.standby);
    }

    boolean containsAll(Tasks other) {
        return active.containsAll(other.active) && standby.containsAll(other.standby);
    }
}
