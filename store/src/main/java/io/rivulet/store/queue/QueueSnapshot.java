package io.rivulet.store.queue;

import io.rivulet.store.Store;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * Layout, writer and reader of the queue table's fuzzy snapshot.
 *
 * <pre>
 * snapshot = magic (4) | version (1) | varint idLimit | run* | 0 | varint queues | crc32c of all before it (4)
 * run      = varint count &gt; 0 | varint firstId - id after the last run | varint retentionClass | row * count
 * row      = varlong startOffset | zigzag varlong (tailStart - startOffset)
 * </pre>
 *
 * An unused queue takes two bytes. Crash policy: checksummed; complete or worthless; the checkpoint that names it makes
 * it durable.
 *
 * <p><b>Why the log writer may continue meanwhile.</b> The replay starts at a position from before the snapshot was
 * begun, so all later changes are replayed. Both offsets only grow, so each one in the snapshot is between its value at
 * that position and its value after the replay. The replay raises both to their final values: trims are maxima, and
 * entries below tailStart are skipped. Skipping is right, because tailStart moves only when the records below it can be
 * read from block files. The replay creates queues that were created meanwhile. Queues that were deleted meanwhile may
 * be missing, so the replay must skip entries of queues that do not exist.
 *
 * <p>Any thread.
 */
public final class QueueSnapshot {
    private static final int MAGIC = 0x52765153;
    private static final int VERSION = 1;
    private static final int MAX_RUN = 1024;

    private QueueSnapshot() {}

    /** Writes all queues. The stream is neither flushed nor closed. */
    public static void write(QueueTable table, OutputStream out) throws IOException {
        new Writer(table, out).write();
    }

    /** Restores what {@link #write} wrote, and reads not one byte more. Throws if the snapshot is not valid. */
    public static void read(InputStream in, QueueTable table) throws IOException {
        new Reader(in, table).read();
    }

    private static final class Writer {
        private final QueueTable table;
        private final SnapshotOutput out;
        private final long[] startOffsets = new long[MAX_RUN];
        private final long[] tailStarts = new long[MAX_RUN];
        private int runFirstId;
        private int runCount;
        private int runClass;
        private int idAfterLastRun;
        private int queues;

        private Writer(QueueTable table, OutputStream out) {
            this.table = table;
            this.out = new SnapshotOutput(out);
        }

        private void write() throws IOException {
            int idLimit = table.idLimit();
            out.putInt(MAGIC);
            out.putByte(VERSION);
            out.putVarint(idLimit);
            for (int id = 0; id < idLimit; ) {
                long[] rows = table.rows(id);
                int end = Math.min(idLimit, (id | QueueTable.QUEUES_PER_CHUNK - 1) + 1);
                if (rows != null) {
                    addRows(rows, id, end);
                }
                id = end;
            }
            endRun();
            out.putVarint(0);
            out.putVarint(queues);
            out.finish();
        }

        private void addRows(long[] rows, int from, int end) throws IOException {
            for (int id = from; id < end; id++) {
                int row = QueueTable.row(id);
                long tailStart = QueueRow.settled(QueueRow.getAcquire(rows, row + QueueRow.TAIL_START));
                if (tailStart != QueueRow.ABSENT) {
                    long startOffset = QueueRow.getAcquire(rows, row + QueueRow.START_OFFSET);
                    int retentionClass = QueueRow.retentionClass(QueueRow.getOpaque(rows, row + QueueRow.LAST));
                    add(id, retentionClass, startOffset, tailStart);
                }
            }
        }

        private void add(int id, int retentionClass, long startOffset, long tailStart) throws IOException {
            if (id != runFirstId + runCount || retentionClass != runClass || runCount == MAX_RUN) {
                endRun();
                runFirstId = id;
                runClass = retentionClass;
            }
            startOffsets[runCount] = startOffset;
            tailStarts[runCount] = tailStart;
            runCount++;
        }

        private void endRun() throws IOException {
            if (runCount > 0) {
                out.putVarint(runCount);
                out.putVarint(runFirstId - idAfterLastRun);
                out.putVarint(runClass);
                for (int i = 0; i < runCount; i++) {
                    out.putVarint(startOffsets[i]);
                    out.putZigzag(tailStarts[i] - startOffsets[i]);
                }
                queues += runCount;
                idAfterLastRun = runFirstId + runCount;
                runCount = 0;
            }
        }
    }

    private static final class Reader {
        private final SnapshotInput in;
        private final QueueTable table;

        private Reader(InputStream in, QueueTable table) {
            this.in = new SnapshotInput(in);
            this.table = table;
        }

        private void read() throws IOException {
            require(in.getInt() == MAGIC, "magic");
            require(in.getByte() == VERSION, "version");
            int idLimit = in.getInt("id limit", Store.MAX_QUEUE_ID);
            int nextId = 0;
            int queues = 0;
            for (int count = in.getInt("run", idLimit); count > 0; count = in.getInt("run", idLimit - nextId)) {
                nextId += in.getInt("gap", idLimit - nextId - count);
                int retentionClass = in.getInt("retention class", Store.MAX_RETENTION_CLASS);
                for (int id = nextId; id < nextId + count; id++) {
                    readRow(id, retentionClass);
                }
                nextId += count;
                queues += count;
            }
            require(in.getInt("queues", idLimit) == queues, "number of queues");
            in.requireChecksum();
            table.raiseIdLimit(idLimit);
        }

        private void readRow(int id, int retentionClass) throws IOException {
            long startOffset = in.getVarint();
            long tailStart = startOffset + in.getZigzag();
            require(startOffset >= 0 && tailStart >= 0 && tailStart != QueueRow.ABSENT, "offsets");
            table.restore(id, retentionClass, startOffset, tailStart);
        }
    }

    static void require(boolean condition, String what) throws IOException {
        if (!condition) {
            throw new IOException("the snapshot of the queue table is damaged: wrong " + what);
        }
    }
}
