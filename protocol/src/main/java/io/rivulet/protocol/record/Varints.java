package io.rivulet.protocol.record;

import io.netty.buffer.ByteBuf;

/** Zigzag-coded numbers of variable length, as records have them. An int is written as the long of the same value is. */
final class Varints {
    private Varints() {}

    static int sizeOf(long value) {
        long raw = zigzag(value);
        return 1 + (Long.SIZE - 1 - Long.numberOfLeadingZeros(raw | 1)) / 7;
    }

    static void write(ByteBuf out, long value) {
        long raw = zigzag(value);
        while ((raw & ~0x7fL) != 0) {
            out.writeByte((int) raw | 0x80);
            raw >>>= 7;
        }
        out.writeByte((int) raw);
    }

    private static long zigzag(long value) {
        return (value << 1) ^ (value >> 63);
    }
}
