package io.rivulet.broker.group.consumer;

import java.nio.ByteBuffer;

/**
 * Unsigned numbers of variable length: seven bits a byte, the lowest first; the top bit is set if more bytes follow.
 */
final class Varints {
    private static final int MORE = 0x80;
    private static final int BITS = 7;

    private Varints() {}

    static void put(ByteBuffer out, int value) {
        int left = value;
        while ((left & -MORE) != 0) {
            out.put((byte) ((left & (MORE - 1)) | MORE));
            left >>>= BITS;
        }
        out.put((byte) left);
    }

    static int take(ByteBuffer in) {
        int value = 0;
        for (int shift = 0; shift < Integer.SIZE; shift += BITS) {
            byte next = in.get();
            value |= (next & (MORE - 1)) << shift;
            if (next >= 0) {
                return value;
            }
        }
        throw new IllegalStateException("a number of more than 32 bits");
    }
}
