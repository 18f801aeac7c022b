package io.rivulet.broker.fetch;

import io.rivulet.broker.access.Access;
import io.rivulet.broker.access.Operation;
import io.rivulet.broker.topic.Topic;
import io.rivulet.protocol.message.FetchRequest;
import org.jspecify.annotations.Nullable;

/**
 * Which topics a fetch may read. They are asked for when a pass visits them, not when the session begins: rules change
 * while a session is there, and a pass visits few of its topics.
 *
 * <p>Owned by: the fetch.
 */
final class ReadRights {
    /** Of all fetches of clients that may do everything. It has no state. */
    private static final ReadRights UNLIMITED = new ReadRights(Access.UNLIMITED, false, false);

    private final Access access;
    private final boolean isReplica;
    /** Whether topics have ids, not names. */
    private final boolean byId;

    private FetchSession.@Nullable NamedTopic last;
    private boolean mayReadLast;

    private ReadRights(Access access, boolean isReplica, boolean byId) {
        this.access = access;
        this.isReplica = isReplica;
        this.byId = byId;
    }

    static ReadRights of(Access access, FetchRequest request, boolean byId) {
        boolean isReplica = request.replicaId() >= 0 || request.replicaState().replicaId() >= 0;
        return access.isUnlimited() ? UNLIMITED : new ReadRights(access, isReplica, byId);
    }

    /** A pass begins. Rules may have changed since the last one. */
    void newPass() {
        if (!access.isUnlimited()) { // otherwise all fetches share this object
            last = null;
        }
    }

    /** An id that is unknown is no topic, so there is no right to ask for. */
    boolean mayRead(FetchSession.NamedTopic topic) {
        if (access.isUnlimited()) {
            return true;
        }
        if (topic != last) {
            Topic seen = topic.seen();
            mayReadLast = isReplica
                    ? access.mayCluster(Operation.CLUSTER_ACTION)
                    : byId ? seen == null || mayRead(seen.name()) : mayRead(topic.name());
            last = topic;
        }
        return mayReadLast;
    }

    private boolean mayRead(String name) {
        return access.mayTopic(Operation.READ, name);
    }
}
