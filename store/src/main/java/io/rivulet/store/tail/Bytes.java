package io.rivulet.store.tail;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Copies the bytes of a chunk word by word: for so few bytes, the call of a bulk put costs more than the copy.
 * Stateless.
 */
final class Bytes {
    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private Bytes() {}

    static void copy(ByteBuffer src, int from, ByteBuffer dst, int to, int length) {
        int last = length - Long.BYTES;
        if (last < 0) {
            for (int i = 0; i < length; i++) {
                dst.put(to + i, src.get(from + i));
            }
            return;
        }
        for (int i = 0; i < last; i += Long.BYTES) {
            LONG.set(dst, to + i, (long) LONG.get(src, from + i));
        }
        LONG.set(dst, to + last, (long) LONG.get(src, from + last));
    }
}
