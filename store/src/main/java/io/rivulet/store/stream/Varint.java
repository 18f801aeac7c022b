package io.rivulet.store.stream;

import java.nio.ByteBuffer;

/**
 * Variable-length numbers: seven bits in each byte, the lowest first; the top bit is set on all bytes except the last.
 * Signed numbers are zigzag encoded first. Stateless.
 */
public final class Varint {
    /** The most bytes of a non-negative {@code int}. */
    public static final int MAX_INT_BYTES = 5;

    /** The most bytes of a {@code long}. */
    public static final int MAX_LONG_BYTES = 10;

    private Varint() {}

    /** Bytes that {@link #put} writes for this value, read as unsigned. */
    public static int size(long value) {
        return (70 - Long.numberOfLeadingZeros(value | 1)) / 7;
    }

    /** Writes the value, read as unsigned, and returns where the next byte goes. */
    public static int put(ByteBuffer dst, int at, long value) {
        int next = at;
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            dst.put(next++, (byte) (rest | 0x80));
            rest >>>= 7;
        }
        dst.put(next++, (byte) rest);
        return next;
    }

    /** Moves the sign into the lowest bit, so that small negative numbers stay short. */
    public static long zigzag(long value) {
        return (value << 1) ^ (value >> 63);
    }

    /** The inverse of {@link #zigzag}. */
    public static long unzigzag(long folded) {
        return (folded >>> 1) ^ -(folded & 1);
    }
}
