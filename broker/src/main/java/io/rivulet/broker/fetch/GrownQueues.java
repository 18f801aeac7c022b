package io.rivulet.broker.fetch;

import io.rivulet.protocol.record.RecordBatchLayout;
import io.rivulet.store.PublishListener;

/**
 * Tells the sessions of what consumers can read from now on. A slim batch may leave with a header that it does not have here, so that is
 * counted for each: a fetch that looks too early waits again, one that looks too late is late. Owned by: log-writer thread.
 */
public final class GrownQueues implements PublishListener {
    private final QueueInterest interest;
    private final StableOffsets stable;

    public GrownQueues(QueueInterest interest, StableOffsets stable) {
        this.interest = interest;
        this.stable = stable;
    }

    @Override
    public void publishing() {
        interest.growing();
    }

    @Override
    public void published(int queueId, long endOffset, int payloadBytes) {
        interest.grown(queueId, stable.grownBytes(queueId, payloadBytes + RecordBatchLayout.HEADER_BYTES));
    }
}
