package io.rivulet.broker.acl;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Decisions that were made lately, of all connections. Each has one place, where the next one with the same hash
 * replaces it. So the memory does not grow with connections, names or rules. A decision holds for one epoch of the
 * rules, and does not keep them.
 *
 * <p>Thread-safe, without locks.
 */
final class DecisionCache {
    /** There is no decision. Others are operations as bits, in the low half of the number. */
    static final int UNKNOWN = -1;

    private static final int SLOT_BITS = 13;

    /** The longest names of topics have 249. */
    private static final int MAX_NAME_CHARS = 256;

    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    private final AtomicReferenceArray<@Nullable Decision> slots = new AtomicReferenceArray<>(1 << SLOT_BITS);

    private record Decision(long connection, long epoch, int kind, String name, int operations) {
        boolean isOf(long ofConnection, long ofEpoch, int ofKind, String ofName) {
            return connection == ofConnection && epoch == ofEpoch && kind == ofKind && name.equals(ofName);
        }
    }

    private static int slot(long connection, int kind, String name) {
        long hash = (((connection * SPREAD) + name.hashCode()) * SPREAD) + kind;
        return (int) ((hash * SPREAD) >>> (Long.SIZE - SLOT_BITS));
    }

    /** @param kind which kind of question it is */
    int get(long connection, long epoch, int kind, String name) {
        if (name.length() > MAX_NAME_CHARS) {
            return UNKNOWN;
        }
        Decision known = slots.getAcquire(slot(connection, kind, name));
        return known != null && known.isOf(connection, epoch, kind, name) ? known.operations : UNKNOWN;
    }

    void put(long connection, long epoch, int kind, String name, int operations) {
        if (name.length() <= MAX_NAME_CHARS) {
            slots.setRelease(slot(connection, kind, name), new Decision(connection, epoch, kind, name, operations));
        }
    }
}
