package io.rivulet.store.simulation;

import java.util.SplittableRandom;

/** A batch as a producer sends it: bytes that follow from a seed. Immutable. */
public final class Batch {
    private final byte[] bytes;
    private final int recordCount;
    private final long maxTimestamp;

    public Batch(long seed, int length, int recordCount, long maxTimestamp) {
        this.bytes = new byte[length];
        new SplittableRandom(seed).nextBytes(bytes);
        this.recordCount = recordCount;
        this.maxTimestamp = maxTimestamp;
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
        return bytes.length + " bytes, " + recordCount + " records";
    }
}
