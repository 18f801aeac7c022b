package io.rivulet.store.huge;

import io.rivulet.store.View;
import io.rivulet.store.io.SetAside;
import io.rivulet.store.stream.StreamRecord;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The huge batches that can be read: which file belongs to which queue and offset. A view of the log with an id of the
 * store. A file is deleted when its queue is deleted, when the queue is trimmed beyond its batch, or when compaction
 * has removed the batch.
 *
 * <pre>
 * snapshot = next number (8) | (number (8) | queueId (4) | endOffset (8)) *
 * </pre>
 *
 * <p>Crash policy: in the checkpoint, then replayed. A batch that is replayed after its file was deleted belongs to a
 * queue that is trimmed or deleted later in the log, and is removed again.
 *
 * <p>The log-writer thread adds, the background thread removes, any thread reads.
 */
public final class HugeBatches implements View {
    private static final Logger LOG = LoggerFactory.getLogger(HugeBatches.class);

    private static final int ROW_BYTES = 20;
    /** Of a file whose row was lost: it stays as long as its queue. */
    private static final long UNKNOWN_OFFSET = Long.MAX_VALUE;

    /** Where the batch of a file is. */
    private record Row(int queueId, long endOffset) {}

    /** The queues, as the removal of files needs them. */
    @FunctionalInterface
    public interface StartOffsets {
        /** The first offset that can be read; {@link Long#MAX_VALUE} if the queue does not exist. */
        long of(int queueId);
    }

    private final HugeFiles files;
    private final Map<Long, Row> rows = new ConcurrentSkipListMap<>();
    private final AtomicLong nextNumber = new AtomicLong(1);
    private List<String> unfinished = List.of();
    private List<Long> unknown = List.of();

    public HugeBatches(HugeFiles files) {
        this.files = files;
    }

    // ---- the view ----

    @Override
    public int id() {
        return HUGE_ID;
    }

    @Override
    public void apply(long groupTimestamp, ByteBuffer bytes) {
        throw new IllegalStateException("huge batches have no entries but their references");
    }

    /** A reference to the file is durable in the queue. */
    public void applied(long lsn, int queueId, long endOffset) {
        long number = StreamRecord.hugeNumber(lsn);
        rows.put(number, new Row(queueId, endOffset));
        raiseNextNumber(number);
    }

    private void raiseNextNumber(long used) {
        nextNumber.accumulateAndGet(used + 1, Math::max);
    }

    /** Rows may be added while it is written: a replay adds them once more. */
    @Override
    public Snapshot snapshot() {
        return out -> {
            out.write(ByteBuffer.allocate(Long.BYTES).putLong(0, nextNumber.get()));
            ByteBuffer bytes = ByteBuffer.allocate(ROW_BYTES);
            for (Map.Entry<Long, Row> row : rows.entrySet()) {
                bytes.clear()
                        .putLong(row.getKey())
                        .putInt(row.getValue().queueId())
                        .putLong(row.getValue().endOffset());
                out.write(bytes.flip());
            }
        };
    }

    @Override
    public void load(ReadableByteChannel in) throws IOException {
        rows.clear();
        ByteBuffer number = ByteBuffer.allocate(Long.BYTES);
        if (!fill(in, number)) {
            throw new EOFException("the snapshot of the huge batches is incomplete");
        }
        raiseNextNumber(number.getLong(0) - 1);
        ByteBuffer row = ByteBuffer.allocate(ROW_BYTES);
        while (fill(in, row.clear())) {
            row.flip();
            rows.put(row.getLong(), new Row(row.getInt(), row.getLong()));
        }
    }

    /** False at the end of the channel. */
    private static boolean fill(ReadableByteChannel in, ByteBuffer target) throws IOException {
        while (target.hasRemaining()) {
            if (in.read(target) < 0) {
                if (target.position() > 0) {
                    throw new EOFException("the snapshot of the huge batches is incomplete");
                }
                return false;
            }
        }
        return true;
    }

    // ---- opening ----

    /**
     * Finds files that nothing refers to. Must run after the replay. Changes nothing.
     *
     * @param snapshotIsLost whether a repair had to do without the snapshot: then each file belongs to its queue
     */
    public void judge(boolean snapshotIsLost, StartOffsets queues) throws IOException {
        unfinished = new ArrayList<>();
        unknown = new ArrayList<>();
        for (String name : files.names()) {
            if (HugeFileLayout.isUnfinishedName(name)) {
                unfinished.add(name);
            } else if (HugeFileLayout.isName(name)) {
                judge(HugeFileLayout.number(name), snapshotIsLost);
            }
        }
        for (Map.Entry<Long, Row> row : rows.entrySet()) {
            if (isReadable(row.getValue(), queues) && !files.exists(row.getKey())) {
                LOG.warn(
                        "{}/{} is missing: if compaction has not removed its batch, queue {} can't be read before"
                                + " offset {}",
                        HugeFiles.FOLDER,
                        HugeFileLayout.name(row.getKey()),
                        row.getValue().queueId(),
                        row.getValue().endOffset());
            }
        }
    }

    private void judge(long number, boolean snapshotIsLost) throws IOException {
        raiseNextNumber(number);
        if (rows.containsKey(number)) {
            return;
        }
        Integer queueId = snapshotIsLost ? queueOf(number) : null;
        if (queueId != null) {
            rows.put(number, new Row(queueId, UNKNOWN_OFFSET));
        } else {
            unknown.add(number);
        }
    }

    /** Null if its header is damaged: then nobody can say whose it is. */
    private @Nullable Integer queueOf(long number) {
        try {
            return files.queueId(number);
        } catch (IOException e) {
            LOG.warn("{}/{}: {}", HugeFiles.FOLDER, HugeFileLayout.name(number), e.getMessage());
            return null;
        }
    }

    /** Deletes unfinished files, and sets complete files aside that nothing refers to. */
    public void settle(SetAside aside, long nowMillis) throws IOException {
        for (String name : unfinished) {
            files.deleteUnfinished(name);
        }
        for (long number : unknown) {
            LOG.info(
                    "Nothing is known to refer to {}/{}. Moved to {}",
                    HugeFiles.FOLDER,
                    HugeFileLayout.name(number),
                    aside.move(HugeFiles.FOLDER, HugeFileLayout.name(number), nowMillis));
        }
        unfinished = List.of();
        unknown = List.of();
    }

    // ---- files ----

    long takeNumber() {
        return nextNumber.getAndIncrement();
    }

    /**
     * Reads the batch with this reference into the target, from its position on, and verifies it.
     *
     * @throws RemovedException if nothing refers to it any more
     */
    public void read(long lsn, int length, int crc, ByteBuffer target) throws IOException {
        long number = StreamRecord.hugeNumber(lsn);
        try {
            files.read(number, length, crc, target);
        } catch (IOException e) {
            throw rows.containsKey(number) ? e : removed(number, e);
        }
    }

    /** Reads the first bytes of the batch with this reference. */
    public void readHead(long lsn, ByteBuffer target) throws IOException {
        files.readHead(StreamRecord.hugeNumber(lsn), target);
    }

    private static RemovedException removed(long number, IOException cause) {
        RemovedException removed = new RemovedException(number);
        removed.initCause(cause);
        return removed;
    }

    /** Deletes the files whose batches can't be read any more. */
    public void removeUnreadable(StartOffsets queues) throws IOException {
        for (Map.Entry<Long, Row> row : rows.entrySet()) {
            if (!isReadable(row.getValue(), queues)) {
                remove(row.getKey());
            }
        }
    }

    /** Deletes the files of batches that compaction has removed. */
    public void remove(Set<Long> lsns) throws IOException {
        for (long lsn : lsns) {
            remove(StreamRecord.hugeNumber(lsn));
        }
    }

    private void remove(long number) throws IOException {
        rows.remove(number);
        files.delete(number);
    }

    private static boolean isReadable(Row row, StartOffsets queues) {
        long startOffset = queues.of(row.queueId());
        return startOffset < row.endOffset() && startOffset != Long.MAX_VALUE;
    }

    /** How many files there are. */
    public int count() {
        return rows.size();
    }
}
