package io.rivulet.store.simulation;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** A batch as a producer sends it: bytes that follow from a seed. Immutable. */
public final class Batch {
    private final byte[] bytes;
    private final int recordCount;
    private final long maxTimestamp;
    private final @Nullable Stamp stamp;

    public Batch(long seed, int length, int recordCount, long maxTimestamp) {
        this.bytes = new byte[length];
        new SplittableRandom(seed).nextBytes(bytes);
        this.recordCount = recordCount;
        this.maxTimestamp = maxTimestamp;
        this.stamp = null;
    }

    private Batch(Batch batch, Stamp stamp) {
        this.bytes = batch.bytes.clone();
        this.recordCount = batch.recordCount;
        this.maxTimestamp = batch.maxTimestamp;
        this.stamp = stamp;
        stamp.put(ByteBuffer.wrap(bytes));
    }

    /** The same with a sequence, which the queue accepts once. */
    public Batch stamped(Stamp withStamp) {
        return new Batch(this, withStamp);
    }

    public @Nullable Stamp stamp() {
        return stamp;
    }

    public byte[] bytes() {
        return bytes;
    }

    public int recordCount() {
        return recordCount;
    }

    public long maxTimestamp() {
        return maxTimestamp;
    }

    @Override
    public String toString() {
        return bytes.length + " bytes, " + recordCount + " records" + (stamp == null ? "" : ", " + stamp);
    }
}
