package io.rivulet.broker.group.classic;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * The topics that the members of a classic group subscribe to, read from their metadata. Offsets of these topics
 * neither expire nor can be deleted. All versions of the metadata start alike:
 *
 * <pre>
 * | version 2 | count 4 | for each topic: length 2, name | other fields
 * </pre>
 *
 * <p>Only a 64-bit hash of each name is kept, because members may name a million topics: 16 to 32 bytes each. If two
 * names have the same hash, offsets may be kept for longer than needed.
 *
 * <p>Immutable once it is made.
 */
final class SubscribedTopics {
    private static final int MIN_TOPIC_BYTES = Short.BYTES;
    private static final int INITIAL_SLOTS = 16;
    private static final int FREE = 0;
    /** Random in each process, so that a client can't choose names that collide. */
    private static final long START = new SecureRandom().nextLong();

    /** Open addressing with linear probes, at most half full. */
    private long[] hashes = new long[INITIAL_SLOTS];

    private int count;

    private SubscribedTopics() {}

    /** Null if one of them is not a consumer's subscription. */
    static @Nullable SubscribedTopics of(Collection<byte[]> subscriptions) {
        SubscribedTopics topics = new SubscribedTopics();
        try {
            for (byte[] subscription : subscriptions) {
                if (!topics.addAll(subscription)) {
                    return null;
                }
            }
        } catch (BufferUnderflowException e) {
            return null;
        }
        return topics;
    }

    private boolean addAll(byte[] bytes) {
        ByteBuffer subscription = ByteBuffer.wrap(bytes);
        int version = subscription.getShort();
        int names = subscription.getInt();
        if (version < 0 || names < 0 || names > subscription.remaining() / MIN_TOPIC_BYTES) {
            return false;
        }
        for (int i = 0; i < names; i++) {
            int length = subscription.getShort();
            if (length < 0 || length > subscription.remaining()) {
                return false;
            }
            add(hash(bytes, subscription.position(), length));
            subscription.position(subscription.position() + length);
        }
        return true;
    }

    boolean contains(String topicName) {
        byte[] name = topicName.getBytes(StandardCharsets.UTF_8);
        long hash = hash(name, 0, name.length);
        return hashes[slot(hash)] == hash;
    }

    long heapBytes() {
        return (long) hashes.length * Long.BYTES;
    }

    private void add(long hash) {
        int slot = slot(hash);
        if (hashes[slot] == hash) {
            return;
        }
        hashes[slot] = hash;
        count++;
        if (2 * count > hashes.length) {
            long[] before = hashes;
            hashes = new long[2 * before.length];
            for (long other : before) {
                if (other != FREE) {
                    hashes[slot(other)] = other;
                }
            }
        }
    }

    /** The slot that holds the hash, or the free slot for it. */
    private int slot(long hash) {
        int slot = (int) hash & hashes.length - 1;
        while (hashes[slot] != FREE && hashes[slot] != hash) {
            slot = slot + 1 & hashes.length - 1;
        }
        return slot;
    }

    /** FNV-1a with a random start, and its bits mixed once more because names differ in their last bytes. Never 0. */
    private static long hash(byte[] bytes, int from, int length) {
        long hash = START;
        for (int i = from; i < from + length; i++) {
            hash = (hash ^ bytes[i]) * 0x100000001B3L;
        }
        hash = (hash ^ hash >>> 32) * 0xD6E8FEB86659FD93L;
        hash ^= hash >>> 32;
        return hash == FREE ? 1 : hash;
    }
}
