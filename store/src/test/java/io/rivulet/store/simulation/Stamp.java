package io.rivulet.store.simulation;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Identifies a batch that its queue admits once, and in order. It is in the first bytes of the batch. Immutable. */
public record Stamp(int producer, int sequence) {
    public static final int BYTES = 12;

    private static final int MAGIC = 0x53_74_6D_70;

    void put(ByteBuffer bytes) {
        bytes.putInt(MAGIC).putInt(producer).putInt(sequence);
    }

    /** Null for a batch without a stamp. */
    public static @Nullable Stamp of(ByteBuffer buffer, int at, int length) {
        return length < BYTES || buffer.getInt(at) != MAGIC
                ? null
                : new Stamp(buffer.getInt(at + 4), buffer.getInt(at + 8));
    }
}
