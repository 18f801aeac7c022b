package io.rivulet.store;

import java.io.IOException;
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

    /**
     * Takes a huge batch, which is not in memory. By default it is read into the heap and passed to {@link #batch}:
     * nothing bounds this memory, so the sinks of the broker don't use the default.
     *
     * @return false to end the read with this batch
     * @throws IOException if the batch can't be read
     */
    default boolean huge(long baseOffset, int recordCount, long maxTimestamp, HugeBatch batch) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(batch.length());
        batch.read(bytes);
        return batch(baseOffset, recordCount, maxTimestamp, bytes, 0, batch.length());
    }

    /** A batch in a file. Valid during the call. */
    interface HugeBatch {
        int length();

        /** Reads all of it into the target, from its position on, and verifies it. Waits for the disk. */
        void read(ByteBuffer target) throws IOException;
    }
}
