package io.rivulet.cluster.ledger;

import io.rivulet.cluster.engine.Ledger;
import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.log.CommitLog.GroupVisitor;
import io.rivulet.store.log.DamagedLogException;
import io.rivulet.store.log.LogGroupLayout;
import io.rivulet.store.log.LogGroupPool;
import io.rivulet.store.log.LogRanges;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Reads parts of group bodies, from memory or from ledgers, and replays. Any thread; waits for other machines.
 *
 * <p>A part of an entry is read by reading the whole entry.
 */
final class LedgerReads {
    private final LedgerRow row;
    private final LogGroupPool groups;
    private final LedgerAppends appends;
    private final long storeId;
    private final FailureLatch failures;

    LedgerReads(LedgerRow row, LogGroupPool groups, LedgerAppends appends, long storeId, FailureLatch failures) {
        this.row = row;
        this.groups = groups;
        this.appends = appends;
        this.storeId = storeId;
        this.failures = failures;
    }

    void read(long lsn, int bodyIndex, int lengthBytes, ByteBuffer target) throws IOException {
        long from = (long) LogGroupLayout.HEADER_BYTES + bodyIndex;
        if (bodyIndex < 0 || lengthBytes < 0 || lastLsn(lsn, from + lengthBytes) >= appends.durableLsn()) {
            throw new IllegalArgumentException(
                    "no bytes " + bodyIndex + " + " + lengthBytes + " in the group at lsn " + Long.toHexString(lsn));
        }
        boolean recent = lsn >= row.trimmedLsn() && groups.readRecent(lsn, bodyIndex, lengthBytes, target);
        if (!recent) {
            readEntries(lsn, (int) from, lengthBytes, target);
        }
    }

    /** The lsn of the entry with the last of these bytes. */
    private static long lastLsn(long lsn, long bytes) {
        return lsn + (bytes - 1) / Ledger.MAX_ENTRY_BYTES;
    }

    private void readEntries(long lsn, int from, int lengthBytes, ByteBuffer target) throws IOException {
        LogLedger ledger = row.retain(lsn);
        try {
            int end = from + lengthBytes;
            int at = from;
            while (at < end) {
                requireNoFailure();
                int start = at;
                long entryId = Lsns.entryId(lsn) + at / Ledger.MAX_ENTRY_BYTES;
                int inEntry = at % Ledger.MAX_ENTRY_BYTES;
                int length = Math.min(end - start, Ledger.MAX_ENTRY_BYTES - inEntry);
                ledger.ledger().read(entryId, 1, (id, bytes) -> {
                    if (inEntry + length > bytes.remaining()) {
                        throw new IllegalArgumentException(
                                "no bytes up to " + end + " in the group at lsn " + Long.toHexString(lsn));
                    }
                    target.put(bytes.slice(bytes.position() + inEntry, length));
                });
                at += length;
            }
        } finally {
            ledger.release();
        }
    }

    /** A log that has failed is closed soon, and machines that do not answer would hold that up again and again. */
    private void requireNoFailure() throws IOException {
        Throwable cause = failures.cause();
        if (cause != null) {
            throw new IOException("the log has failed, and reads nothing from other machines any more", cause);
        }
    }

    /** One range at a time: an entry is read as a whole anyway. */
    int read(LogRanges ranges, ByteBuffer target) throws IOException {
        target.clear();
        ranges.put(0, 0);
        read(ranges.lsn(0), ranges.bodyIndex(0), ranges.lengthBytes(0), target);
        return 1;
    }

    void replay(long fromLsn, GroupVisitor visitor) throws IOException {
        long untilLsn = appends.durableLsn();
        List<LogLedger> ledgers = row.retainFrom(fromLsn);
        try {
            Replay replay = new Replay(fromLsn, untilLsn, visitor);
            for (LogLedger ledger : ledgers) {
                replay.replay(ledger);
            }
            if (replay.endLsn != Replay.UNKNOWN && replay.endLsn < untilLsn) {
                throw new DamagedLogException("the log", replay.endLsn, "the last groups are missing");
            }
        } finally {
            ledgers.forEach(LogLedger::release);
        }
    }

    /** Visits the groups of one ledger after the other, and checks that none is missing between two. */
    private final class Replay {
        private static final long UNKNOWN = -1;

        private final long fromLsn;
        private final long untilLsn;
        private final GroupVisitor visitor;
        /** Of the last group. */
        private long endLsn;

        private long lastEpoch;

        Replay(long fromLsn, long untilLsn, GroupVisitor visitor) {
            this.fromLsn = fromLsn;
            this.untilLsn = untilLsn;
            this.visitor = visitor;
            boolean fromTheFirst = fromLsn <= row.firstLsn(untilLsn);
            this.endLsn = fromTheFirst ? row.trimmedLsn() : UNKNOWN;
        }

        void replay(LogLedger ledger) throws IOException {
            GroupWalk walk = new GroupWalk(ledger, storeId);
            walk.seek(ledger.ordinal() == Lsns.ordinal(fromLsn) ? Lsns.entryId(fromLsn) : 0);
            while (walk.endLsn() < untilLsn && walk.next()) {
                visit(walk, ledger);
            }
            if (walk.endLsn() < untilLsn && !walk.isCutOff()) {
                throw new DamagedLogException(ledger.name(), Lsns.entryId(walk.endLsn()), walk.problem());
            }
        }

        private void visit(GroupWalk walk, LogLedger ledger) throws IOException {
            var view = walk.view();
            if (endLsn != UNKNOWN && walk.previousEndLsn() != endLsn) {
                throw new DamagedLogException(
                        ledger.name(),
                        Lsns.entryId(view.lsn()),
                        "groups are missing before this one, from lsn " + Long.toHexString(endLsn));
            }
            if (view.epoch() < lastEpoch) {
                throw new DamagedLogException(
                        ledger.name(), Lsns.entryId(view.lsn()), "the group is of the earlier epoch " + view.epoch());
            }
            endLsn = walk.endLsn();
            lastEpoch = view.epoch();
            visitor.visit(view);
        }
    }
}
