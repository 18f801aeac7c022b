package io.rivulet.store;

import java.nio.ByteBuffer;

/** Receives the batches of a read, in offset order. */
@FunctionalInterface
public interface BatchSink {
    /**
     * Takes a batch as it was appended: {@code length} bytes at {@code at}. The buffer is lent for the call; its
     * position and limit must not change.
     *
     * @return false to end the read with this batch
     */
    boolean batch(long baseOffset, int recordCount, long maxTimestamp, ByteBuffer bytes, int at, int length);
}
