package io.rivulet.store.shard;

import java.util.List;

/**
 * Who is there and who has the shard, as far as this process knows. Immutable.
 *
 * @param peers those that are alive, by id, this one included
 * @param ownerId {@link #NOBODY} if nobody alive owns the shard. Who owns it may still open it
 * @param epoch counts the owners
 */
public record Overview(List<Peer> peers, int ownerId, long epoch) {
    public static final int NOBODY = -1;

    public Overview {
        peers = List.copyOf(peers);
    }
}
