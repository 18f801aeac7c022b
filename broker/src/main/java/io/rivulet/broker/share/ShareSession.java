package io.rivulet.broker.share;

import io.rivulet.broker.call.Call;
import io.rivulet.broker.fetch.FetchSession;
import org.jspecify.annotations.Nullable;

/**
 * The partitions that a member of a share group fetches from.
 *
 * <p>The partitions are owned by the fetch that has the session. The other fields are guarded by {@link ShareSessions}.
 */
final class ShareSession {
    /** A session is named by group and member. */
    record Key(String groupId, String member) {}

    final Key key;
    final Call.Origin origin;
    final FetchSession partitions;
    int epoch;
    boolean taken;
    long countedBytes;
    /** Rows keep it until they change, so it does not keep the session when that has ended. */
    final Waiter waiter;

    ShareSession(Key key, Call.Origin origin, FetchSession partitions) {
        this.key = key;
        this.origin = origin;
        this.partitions = partitions;
        this.waiter = new Waiter(partitions);
    }

    void end() {
        waiter.partitions = null;
        partitions.end();
    }

    /** Makes partitions ready while the session lives. Thread-safe. */
    static final class Waiter implements RowWaiter {
        private volatile @Nullable FetchSession partitions;

        private Waiter(FetchSession partitions) {
            this.partitions = partitions;
        }

        @Override
        public void ready(int slot) {
            FetchSession live = partitions;
            if (live != null) {
                live.grown(slot, Integer.MAX_VALUE);
            }
        }

        @Override
        public boolean hasEnded() {
            return partitions == null;
        }
    }
}
