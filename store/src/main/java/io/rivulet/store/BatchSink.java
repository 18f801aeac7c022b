package io.rivulet.store;

import java.nio.ByteBuffer;

/** Takes the batches of a read, in offset order. */
@FunctionalInterface
public interface BatchSink {
    /**
     * The batch's bytes as they were appended, {@code length} of them at {@code at}; lent for the call, position and limit must be
     * left alone.
     *
     * @return false to end the read with this batch
     */
    boolean batch(long baseOffset, int recordCount, long maxTimestamp, ByteBuffer bytes, int at, int length);
}
