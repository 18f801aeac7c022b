package io.rivulet.protocol.record;

/**
 * What a client may send for one queue in one request. Immutable.
 *
 * @param maxBatchBytes the largest batch, header included, as it is sent
 * @param maxBatches how many batches may follow one another; Kafka's own brokers take one
 */
public record BatchLimits(int maxBatchBytes, int maxBatches) {
    public BatchLimits {
        if (maxBatchBytes < RecordBatchLayout.HEADER_BYTES) {
            throw new IllegalArgumentException(
                    "maxBatchBytes is " + maxBatchBytes + "; a header alone takes " + RecordBatchLayout.HEADER_BYTES);
        }
        if (maxBatches < 1) {
            throw new IllegalArgumentException("maxBatches is " + maxBatches + "; at least 1 is needed");
        }
    }
}
