package io.rivulet.cluster.registry;

import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Nodes of shards, and the brokers that are alive. Thread-safe. This is one client; all clients of a cluster see the
 * same. Calls wait for other machines, for a limited time.
 *
 * <p><b>Reads may be old</b>, but until {@link Event#EXPIRED} a client never sees an older state after a newer one, and
 * sees its own changes.
 */
public interface Registry extends AutoCloseable {
    /** Of a swap that was not made. */
    int NO_VERSION = -1;

    /** A node, and the version that it has. */
    record Versioned(int version, ShardNode node) {}

    /** What a listener learns. */
    enum Event {
        /** Nodes or members may have changed; a read sees at least that change. Repeated events are possible. */
        CHANGED,
        /** The registry does not answer. CHANGED follows when it does again. */
        DISCONNECTED,
        /** This client is no member any more: it may join again. */
        EXPIRED
    }

    /** The node of a shard; null if there is none. */
    @Nullable
    Versioned load(int shard) throws IOException;

    /**
     * Replaces a node if this is its state. The version alone is not enough: a node that was deleted and made again has
     * the versions of the one before.
     *
     * @param state null creates the node
     * @return the new version; {@link #NO_VERSION} if the node has another state
     * @throws IOException if it is unknown whether the node was replaced; this may even happen afterwards
     */
    int swap(int shard, @Nullable Versioned state, ShardNode node) throws IOException;

    /**
     * Whether this was the state of the node at some moment between call and return. Unlike a read, it is never old,
     * and no read after it is older, until {@link Event#EXPIRED}.
     *
     * @param state null if there is no node
     * @throws IOException if it is unknown
     */
    boolean confirm(int shard, @Nullable Versioned state) throws IOException;

    /**
     * Makes this client a member, until it is closed or {@link Event#EXPIRED}. Can be repeated, with other endpoints.
     *
     * @return false if another client is a member with this broker id
     */
    boolean join(Member self) throws IOException;

    /** The members, by broker id. */
    List<Member> members() throws IOException;

    /**
     * Calls the listener after each event, from any thread, also within a call; the listener must not block. A change
     * is reported at the latest when the registry answers again.
     */
    void listen(Consumer<Event> listener);

    /** Ends the membership, too. */
    @Override
    void close() throws IOException;
}
