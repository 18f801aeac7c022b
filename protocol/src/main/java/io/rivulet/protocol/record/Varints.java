package io.rivulet.protocol.record;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;

/**
 * Numbers of variable length: seven bits in each byte, the lowest first; the top bit is set if more bytes follow. They
 * are zigzag-coded as in records, or unsigned. An int is encoded like the long of the same value.
 */
public final class Varints {
    private Varints() {}

    /** Writes an unsigned number at the position. */
    public static void putUnsigned(ByteBuffer out, int value) {
        out.position(putUnsigned(out, out.position(), Integer.toUnsignedLong(value)));
    }

    private static int putUnsigned(ByteBuffer out, int at, long value) {
        long raw = value;
        int next = at;
        while ((raw & ~0x7fL) != 0) {
            out.put(next++, (byte) (raw | 0x80));
            raw >>>= 7;
        }
        out.put(next, (byte) raw);
        return next + 1;
    }

    /** Reads an unsigned number of at most 32 bits at the position. */
    public static int takeUnsigned(ByteBuffer in) {
        int value = 0;
        for (int shift = 0; shift < Integer.SIZE; shift += 7) {
            byte next = in.get();
            value |= (next & 0x7f) << shift;
            if (next >= 0) {
                return value;
            }
        }
        throw new IllegalStateException("a number of more than 32 bits");
    }

    static int sizeOf(long value) {
        return sizeOfUnsigned(zigzag(value));
    }

    static int sizeOfUnsigned(long raw) {
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

    /** Returns the index after the number. */
    static int put(ByteBuffer out, int at, long value) {
        return putUnsigned(out, at, zigzag(value));
    }

    /** Returns the index after the number. */
    static int setUnsigned(ByteBuf out, int at, long value) {
        long raw = value;
        int next = at;
        while ((raw & ~0x7fL) != 0) {
            out.setByte(next++, (int) raw | 0x80);
            raw >>>= 7;
        }
        out.setByte(next, (int) raw);
        return next + 1;
    }

    static int unzigzag(int raw) {
        return (raw >>> 1) ^ -(raw & 1);
    }

    static long unzigzag(long raw) {
        return (raw >>> 1) ^ -(raw & 1);
    }

    private static long zigzag(long value) {
        return (value << 1) ^ (value >> 63);
    }
}
