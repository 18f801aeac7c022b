package io.rivulet.broker.group.streams;

import io.rivulet.broker.coordinator.Timers;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A member of a group of the streams protocol: a thread of an application. Owned by: the coordinator thread. */
final class StreamsMember {
    /** How far it has come on the way to its target. The numbers are in the log. */
    enum State {
        STABLE(0),
        UNREVOKED_TASKS(1),
        UNRELEASED_TASKS(2);

        final byte number;

        State(int number) {
            this.number = (byte) number;
        }

        static State numbered(byte number) {
            for (State state : values()) {
                if (state.number == number) {
                    return state;
                }
            }
            throw new IllegalStateException("unknown state of a member: " + number);
        }
    }

    /** Where other instances of the application ask for the state of this one. Immutable. */
    record Endpoint(String host, int port) {}

    final String id;

    @Nullable
    String rackId;

    String clientId = "";
    String clientHost = "";
    int rebalanceTimeoutMillis = -1;
    int topologyEpoch;
    /** The instance of the application. Its members share one directory of states. */
    String processId = "";

    @Nullable
    Endpoint endpoint;

    Map<String, String> clientTags = new TreeMap<>();

    int epoch;
    int previousEpoch;
    State state = State.STABLE;
    Tasks assigned = Tasks.NONE;
    Tasks revoking = Tasks.NONE;
    /** Of active tasks. */
    TaskEpochs since = TaskEpochs.NONE;

    Tasks target = Tasks.NONE;

    // ---- not in the log ----

    Timers.@Nullable Timer session;
    Timers.@Nullable Timer revocation;

    StreamsMember(String id) {
        this.id = id;
    }

    /** All tasks that it may be working on. */
    Tasks owned() {
        return assigned.union(revoking);
    }

    void moveTo(int newEpoch) {
        previousEpoch = epoch;
        epoch = newEpoch;
    }

    void cancelRevocation() {
        if (revocation != null) {
            revocation.cancel();
        }
    }

    void cancelTimers() {
        cancelRevocation();
        if (session != null) {
            session.cancel();
        }
    }
}
