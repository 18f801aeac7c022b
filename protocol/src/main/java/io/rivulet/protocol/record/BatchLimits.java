package io.rivulet.protocol.record;

/**
 * Limits of the batches that a client may send for one queue in one request. Immutable.
 *
 * @param maxBatchBytes the largest batch as sent, header included
 * @param maxBatches the number of batches that may follow one another; Kafka accepts one
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
