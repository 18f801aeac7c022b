package io.rivulet.store.block.format;

import java.util.Arrays;

/**
 * Which queues a file may hold, so that a file without the queue costs no I/O. It has one bit for each queue id of the
 * file's range, if that needs at most one byte for each queue in the file. Then it is exact. This is the usual case,
 * because a cycle visits all queues in order. Otherwise it is a Bloom filter of one byte for each queue, which is wrong
 * for about one absent queue in fifty.
 *
 * <p>Immutable. Memory: at most one byte for each queue in the file, and at most one bit for each queue id in its
 * range.
 */
public final class QueueFilter {
    private static final int PROBES = 5;

    private final int minQueueId;
    private final int maxQueueId;
    private final byte[] bits;
    private final boolean exact;

    /** Uses the bytes of a file without a copy. */
    public QueueFilter(int minQueueId, int maxQueueId, byte[] bits) {
        this.minQueueId = minQueueId;
        this.maxQueueId = maxQueueId;
        this.bits = bits;
        this.exact = bits.length == rangeBytes(minQueueId, maxQueueId);
    }

    /** An empty filter of the right size. Call {@link #add} before other threads use it. */
    public static QueueFilter sizedFor(int minQueueId, int maxQueueId, int queueCount) {
        long bytes = Math.min(rangeBytes(minQueueId, maxQueueId), queueCount);
        return new QueueFilter(minQueueId, maxQueueId, new byte[(int) bytes]);
    }

    private static long rangeBytes(int minQueueId, int maxQueueId) {
        return ((long) maxQueueId - minQueueId) / Byte.SIZE + 1;
    }

    public void add(int queueId) {
        if (exact) {
            set(queueId - minQueueId);
            return;
        }
        long hash = hash(queueId);
        for (int probe = 0; probe < PROBES; probe++) {
            set(bit(hash, probe));
        }
    }

    /** False only if the queue is not in the file. */
    public boolean mayHold(int queueId) {
        if (queueId < minQueueId || queueId > maxQueueId) {
            return false;
        }
        if (exact) {
            return isSet(queueId - minQueueId);
        }
        long hash = hash(queueId);
        for (int probe = 0; probe < PROBES; probe++) {
            if (!isSet(bit(hash, probe))) {
                return false;
            }
        }
        return true;
    }

    public byte[] bytes() {
        return Arrays.copyOf(bits, bits.length);
    }

    public int residentBytes() {
        return bits.length;
    }

    private static long hash(int queueId) {
        long h = queueId * 0x9E37_79B9_7F4A_7C15L;
        h = (h ^ (h >>> 32)) * 0xD6E8_FEB8_6659_FD93L;
        return h ^ (h >>> 32);
    }

    private long bit(long hash, int probe) {
        long mixed = (hash + probe * (hash >>> 33 | 1)) & 0xFFFF_FFFFL;
        return (mixed * ((long) bits.length * Byte.SIZE)) >>> 32;
    }

    private void set(long bit) {
        bits[(int) (bit >>> 3)] |= (byte) (1 << (bit & 7));
    }

    private boolean isSet(long bit) {
        return (bits[(int) (bit >>> 3)] & 1 << (bit & 7)) != 0;
    }
}
