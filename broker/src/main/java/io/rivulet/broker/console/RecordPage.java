package io.rivulet.broker.console;

import io.rivulet.protocol.record.RecordView;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A page of records of one partition, from an offset on or backwards. It ends with enough records, or when it has read
 * for long enough; then it says where to go on. The store reads forwards only, so to go backwards it reads ranges of
 * offsets one before the other.
 *
 * <p>Owned by: the read thread, for one request.
 */
final class RecordPage implements RecordReader.Visitor {
    /** When a page ends. */
    record Bounds(int rows, int bytesOfField, long scannedBytes, long nanos, long rowBytes) {
        static final Bounds SCREEN = new Bounds(50, 2048, 64L << 20, TimeUnit.MILLISECONDS.toNanos(500), 2L << 20);
        static final Bounds FILE = new Bounds(10_000, 1 << 20, 256L << 20, TimeUnit.SECONDS.toNanos(3), 6L << 20);
        static final Bounds TAIL = new Bounds(100, 1024, 16L << 20, TimeUnit.MILLISECONDS.toNanos(100), 128L << 10);
        static final Bounds ONE = new Bounds(1, 1 << 20, 64L << 20, TimeUnit.SECONDS.toNanos(1), 6L << 20);

        Bounds left(int rowsLeft, long rowBytesLeft) {
            return new Bounds(rowsLeft, bytesOfField, scannedBytes, nanos, rowBytesLeft);
        }
    }

    private static final int FIRST_RANGE = 64;
    private static final int MOST_IN_RANGE = 1 << 16;
    private static final long RANGE_BYTES = 4 << 20;

    private record Row(long offset, String json) {}

    private final RecordReader reader;
    private final int queueId;
    private final int partition;
    private final RecordFilter filter;
    private final Bounds bounds;
    private final long deadlineNanos;
    private final Deque<Row> range = new ArrayDeque<>();
    private final List<String> rows = new ArrayList<>();
    private boolean backwards;
    /** Going backwards, older rows of the range did not fit. */
    private boolean cut;

    private long bytes;
    private long scanned;
    private long next;

    RecordPage(RecordReader reader, int queueId, int partition, RecordFilter filter, Bounds bounds) {
        this.reader = reader;
        this.queueId = queueId;
        this.partition = partition;
        this.filter = filter;
        this.bounds = bounds;
        this.deadlineNanos = System.nanoTime() + bounds.nanos();
    }

    /** Reads from the offset on, up to the end. */
    void readForwards(long from, long end) throws IOException {
        next = reader.read(queueId, from, end, this);
        range.forEach(row -> rows.add(row.json()));
    }

    /** Reads from the record before this offset back to the start. */
    void readBackwards(long before, long start) throws IOException {
        backwards = true;
        next = before;
        long size = Math.min(FIRST_RANGE, bounds.rows());
        while (next > start && !cut && rows.size() < bounds.rows() && isInBounds()) {
            long from = Math.max(start, next - size);
            long readBefore = reader.readBytes();
            reader.read(queueId, from, next, this);
            next = takeRange(from);
            long read = Math.max(1, reader.readBytes() - readBefore);
            size = Math.max(1, Math.min(MOST_IN_RANGE, Math.min(4 * size, size * RANGE_BYTES / read)));
        }
    }

    /** Moves the rows of the range to the page, newest first. Returns where to go on. */
    private long takeRange(long from) {
        List<Row> found = new ArrayList<>(range);
        Collections.reverse(found);
        range.clear();
        long goOn = cut || rows.size() + found.size() >= bounds.rows() ? oldest(found, from) : from;
        found.forEach(row -> rows.add(row.json()));
        return goOn;
    }

    private static long oldest(List<Row> found, long from) {
        return found.isEmpty() ? from : found.get(found.size() - 1).offset();
    }

    @Override
    public boolean record(RecordView record, boolean transactional) {
        scanned++;
        if (!filter.matches(record)) {
            return true;
        }
        String json = RecordJson.of(partition, record, transactional, bounds.bytesOfField());
        return add(new Row(record.offset(), json));
    }

    @Override
    public boolean hidden(long offset, int count, String why) {
        scanned += count;
        return add(new Row(offset, RecordJson.hidden(partition, offset, count, why)));
    }

    /** Of a range that is read to go backwards, the last rows are wanted. */
    private boolean add(Row row) {
        range.add(row);
        bytes += row.json().length();
        if (backwards) {
            while (range.size() > 1 && (rows.size() + range.size() > bounds.rows() || !fits())) {
                bytes -= range.remove().json().length();
                cut = true;
            }
            return true;
        }
        return range.size() < bounds.rows() && fits();
    }

    private boolean fits() {
        return bytes < bounds.rowBytes();
    }

    /** A range that is read to go backwards is read whole. */
    @Override
    public boolean goOn(long readBytes) {
        return backwards || isInBounds();
    }

    private boolean isInBounds() {
        return reader.readBytes() < bounds.scannedBytes() && System.nanoTime() - deadlineNanos < 0 && fits();
    }

    /** Each record as JSON, in one line. */
    List<String> rows() {
        return rows;
    }

    /** The records that were read, shown or not. */
    long scanned() {
        return scanned;
    }

    /** The first offset that was not read; backwards, the last that was. */
    long next() {
        return next;
    }
}
