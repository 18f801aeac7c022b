package io.rivulet.broker.share;

import io.rivulet.broker.call.Call;
import io.rivulet.broker.fetch.FetchSession;

/**
 * The partitions that a member of a share group fetches from.
 *
 * <p>The partitions are owned by the fetch that has the session. The other fields are guarded by {@link ShareSessions}.
 */
final class ShareSession implements RowWaiter {
    /** A session is named by group and member. */
    record Key(String groupId, String member) {}

    final Key key;
    final Call.Origin origin;
    final FetchSession partitions;
    int epoch;
    boolean taken;
    long countedBytes;
    private volatile boolean ended;

    ShareSession(Key key, Call.Origin origin, FetchSession partitions) {
        this.key = key;
        this.origin = origin;
        this.partitions = partitions;
    }

    @Override
    public void ready(int slot) {
        partitions.grown(slot, Integer.MAX_VALUE);
    }

    @Override
    public boolean hasEnded() {
        return ended;
    }

    void end() {
        ended = true;
        partitions.end();
    }
}
