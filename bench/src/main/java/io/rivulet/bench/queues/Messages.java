package io.rivulet.bench.queues;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Computes the message at an offset of a queue, so that each message can be verified and none must be kept. Immutable.
 *
 * @param bytes of a normal message
 * @param largeEvery one in so many messages is large; 0 for none
 */
record Messages(int bytes, int largeBytes, int largeEvery) {
    private static final long MIX = 0x9E3779B97F4A7C15L;

    /** Bytes of the longest message. */
    int maxBytes() {
        return largeEvery > 0 ? Math.max(bytes, largeBytes) : bytes;
    }

    int length(int queueId, long offset) {
        return largeEvery > 0 && Long.remainderUnsigned(mix(queueId, offset) >>> 8, largeEvery) == 0
                ? largeBytes
                : bytes;
    }

    /** Writes the message. Returns the index of the next one. The buffer is little-endian. */
    int put(ByteBuffer target, int at, int queueId, long offset) {
        int end = at + length(queueId, offset);
        long state = mix(queueId, offset);
        int next = at;
        for (; next + Long.BYTES <= end; next += Long.BYTES) {
            target.putLong(next, state);
            state += MIX;
        }
        for (; next < end; next++) {
            target.put(next, (byte) state);
            state >>>= 8;
        }
        return end;
    }

    /** Returns whether these bytes are the message. */
    boolean matches(ByteBuffer source, int at, int length, int queueId, long offset) {
        if (length != length(queueId, offset)) {
            return false;
        }
        boolean same = true;
        boolean swap = source.order() == ByteOrder.BIG_ENDIAN;
        long state = mix(queueId, offset);
        int end = at + length;
        int next = at;
        for (; next + Long.BYTES <= end; next += Long.BYTES) {
            long word = source.getLong(next);
            same &= (swap ? Long.reverseBytes(word) : word) == state;
            state += MIX;
        }
        for (; next < end; next++) {
            same &= source.get(next) == (byte) state;
            state >>>= 8;
        }
        return same;
    }

    private static long mix(int queueId, long offset) {
        long z = ((long) queueId << 32 ^ offset) * MIX;
        z = (z ^ z >>> 32) * 0xBF58476D1CE4E5B9L;
        return z ^ z >>> 29;
    }
}
