package io.rivulet.cluster.ledger;

import io.rivulet.cluster.engine.Ledger;
import io.rivulet.store.log.LogGroupLayout;
import io.rivulet.store.log.LogGroupView;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;

/**
 * Goes from group to group in one ledger, and verifies each. Reads some MiB ahead at once. Owned by one thread.
 *
 * <p>A group that is cut off at the end of the ledger ends the walk, as does one that is altered; {@link #problem}
 * tells which.
 */
final class GroupWalk {
    private static final int AT_ONCE_BYTES = 4 << 20;
    private static final int MAX_ENTRIES_AT_ONCE = 1024;

    private final LogLedger ledger;
    private final long storeId;
    private final long untilEntryId;
    private final ArrayDeque<ByteBuffer> read = new ArrayDeque<>();
    private ByteBuffer whole = ByteBuffer.allocate(0);
    /** Of the first entry in {@link #read}, or of the next one to read. */
    private long nextEntryId;

    private String problem = "";
    private boolean cutOff;

    /** To the end of the ledger, or to what is acknowledged of it now. */
    GroupWalk(LogLedger ledger, long storeId) {
        this.ledger = ledger;
        this.storeId = storeId;
        this.untilEntryId = ledger.ledger().entryCount();
    }

    void seek(long entryId) {
        read.clear();
        nextEntryId = entryId;
    }

    /** Goes to the next group; false if there is none. */
    boolean next() throws IOException {
        if (!has(1)) {
            cutOff = true;
            problem = "the ledger ends here";
            return false;
        }
        ByteBuffer first = read.getFirst();
        long lsn = Lsns.of(ledger.ordinal(), nextEntryId);
        String wrong = first.remaining() < LogGroupLayout.HEADER_BYTES
                ? "the entry is too short"
                : LogGroupLayout.headerProblem(first, 0, lsn);
        if (wrong != null) {
            return isNone(wrong);
        }
        int length = first.getInt(LogGroupLayout.LENGTH_AT);
        int entries = entries(length);
        if (!has(entries)) {
            cutOff = true;
            problem = "the group here is cut off";
            return false;
        }
        join(entries, length);
        if (whole.position() != length || !LogGroupLayout.crcMatches(storeId, whole, 0, length)) {
            return isNone("the group's checksum does not match");
        }
        nextEntryId += entries;
        return true;
    }

    private boolean isNone(String wrong) {
        cutOff = false;
        problem = wrong;
        return false;
    }

    /** How many entries a group of this length has. */
    static int entries(int length) {
        return (length + Ledger.MAX_ENTRY_BYTES - 1) / Ledger.MAX_ENTRY_BYTES;
    }

    private boolean has(int entries) throws IOException {
        if (nextEntryId + entries > untilEntryId) {
            return false;
        }
        while (read.size() < entries) {
            long from = nextEntryId + read.size();
            ledger.ledger().read(from, atOnce(untilEntryId - from), (entryId, bytes) -> {
                ByteBuffer copy = ByteBuffer.allocate(bytes.remaining());
                read.add(copy.put(bytes).flip());
            });
        }
        return true;
    }

    private int atOnce(long entriesLeft) {
        Ledger source = ledger.ledger();
        long averageBytes = Math.max(1, source.lengthBytes() / Math.max(1, source.entryCount()));
        long wanted = Math.max(1, Math.min(MAX_ENTRIES_AT_ONCE, AT_ONCE_BYTES / averageBytes));
        return (int) Math.min(wanted, entriesLeft);
    }

    private void join(int entries, int length) {
        if (whole.capacity() < length) {
            whole = ByteBuffer.allocate(Math.min(LogGroupLayout.MAX_GROUP_BYTES, 2 * length));
        }
        whole.clear();
        for (int i = 0; i < entries; i++) {
            ByteBuffer entry = read.removeFirst();
            if (entry.remaining() <= whole.remaining()) {
                whole.put(entry);
            }
        }
    }

    /** The current group; valid until the next step. */
    LogGroupView view() {
        return LogGroupLayout.view(whole, 0);
    }

    /** Where the group before the current one ended, as its writer knew. */
    long previousEndLsn() {
        return whole.getLong(LogGroupLayout.PREVIOUS_END_AT);
    }

    /** The end of the current group. */
    long endLsn() {
        return Lsns.of(ledger.ordinal(), nextEntryId);
    }

    /** Whether the walk has ended because the ledger ends, perhaps within a group. */
    boolean isCutOff() {
        return cutOff;
    }

    /** Why the walk has ended. */
    String problem() {
        return problem;
    }
}
