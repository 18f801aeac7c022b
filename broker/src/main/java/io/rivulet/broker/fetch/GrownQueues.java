package io.rivulet.broker.fetch;

import io.rivulet.protocol.record.RecordBatchLayout;
import io.rivulet.store.PublishListener;

/**
 * Notifies sessions of records that consumers can read from now on. A slim batch may get a header in the answer, so
 * each batch is counted with a header: a fetch that reads too early waits again, but one that reads too late is late.
 *
 * <p>Owned by: log-writer thread.
 */
public record GrownQueues(QueueInterest interest, StableOffsets stable) implements PublishListener {
    @Override
    public void publishing() {
        interest.growing();
    }

    @Override
    public void published(int queueId, long endOffset, int payloadBytes) {
        interest.grown(queueId, stable.grownBytes(queueId, payloadBytes + RecordBatchLayout.HEADER_BYTES));
    }
}
