package io.rivulet.store.tail;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Copies the few bytes that fit into a chunk, word by word: a bulk put costs more in its call than in its copy when
 * there are so few. Stateless.
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
