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
    private static final ReadRights UNLIMITED = new ReadRights(Access.UNLIMITED, false);

    private final Access access;
    private final boolean isReplica;
    private FetchSession.@Nullable NamedTopic last;
    private boolean mayReadLast;

    private ReadRights(Access access, boolean isReplica) {
        this.access = access;
        this.isReplica = isReplica;
    }

    static ReadRights of(Access access, FetchRequest request) {
        boolean isReplica = request.replicaId() >= 0 || request.replicaState().replicaId() >= 0;
        return access.isUnlimited() ? UNLIMITED : new ReadRights(access, isReplica);
    }

    /** An id that is unknown is no topic, so there is no right to ask for. */
    boolean mayRead(FetchSession.NamedTopic topic) {
        if (access.isUnlimited()) {
            return true;
        }
        if (topic != last) {
            Topic seen = topic.seen();
            String name = topic.name().isEmpty() && seen != null ? seen.name() : topic.name();
            mayReadLast = isReplica
                    ? access.mayCluster(Operation.CLUSTER_ACTION)
                    : name.isEmpty() || access.mayTopic(Operation.READ, name);
            last = topic;
        }
        return mayReadLast;
    }
}
