package io.rivulet.store.log;

import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.io.ShortageException;
import io.rivulet.store.io.ShortageException.Kind;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The segments of an open log: those that hold groups, those prepared for what is to come, those trimmed and on their way
 * out.
 *
 * <p>{@code row} is immutable and published by a volatile write; it and the two queues change under {@code this}. Files are
 * made and disposed of by {@link #work()} on the log-segments thread, outside the lock. So the log-writer waits here only
 * if it has filled a whole segment before the next one was ready.
 */
final class SegmentList {
    /** So many segments before the last may have been written when one was last prepared. */
    private static final int MAY_BE_WRITTEN = 4;

    private final SegmentFiles files;
    private final FailureLatch failures;
    private final ArrayDeque<Segment> prepared = new ArrayDeque<>();
    private final ArrayDeque<Segment> trimmed = new ArrayDeque<>();
    private volatile List<Segment> row = List.of();
    private Runnable signal = () -> {};
    private int groupBytes;
    private long writtenBeforeLsn;
    private @Nullable ShortageException shortage;
    private boolean closed;

    SegmentList(SegmentFiles files, FailureLatch failures) {
        this.files = files;
        this.failures = failures;
        failures.onFailure(this::wakeAll);
    }

    /** Before the first use: what was found at opening, and how to have {@link #work()} run. */
    synchronized void start(List<Segment> holding, List<Segment> empty, Runnable workSignal) {
        row = List.copyOf(holding);
        prepared.addAll(empty);
        signal = workSignal;
    }

    /** Gives up prepared segments, the last one first, until only such as this configuration would make are left. */
    synchronized void dropUnfitting() throws IOException {
        boolean fit = prepared.stream().allMatch(files::fits);
        while (!fit && !prepared.isEmpty()) {
            files.dispose(prepared.removeLast());
        }
    }

    /** In the order of their lsns; the last one is where the log ends. */
    List<Segment> segments() {
        return row;
    }

    Segment last() {
        List<Segment> seen = row;
        return seen.get(seen.size() - 1);
    }

    /**
     * Called about once a second: while nobody finds the last segment by its name, what is written there is lost.
     *
     * @throws IOException when it was removed or replaced
     */
    void check() throws IOException {
        Segment last = last();
        // A segment that is retained keeps its name.
        if (last.retain()) {
            try {
                last.file().checkName();
            } finally {
                last.release();
            }
        }
    }

    /** The segment that holds this lsn, retained: the caller releases it. */
    Segment retain(long lsn) throws TrimmedException {
        List<Segment> seen = row;
        int low = 0;
        int high = seen.size() - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (seen.get(middle).baseLsn() <= lsn) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        Segment segment = seen.get(low);
        if (segment.baseLsn() > lsn || !segment.retain()) {
            throw new TrimmedException(lsn, row.get(0).firstLsn());
        }
        return segment;
    }

    /** All from the one that holds this lsn to the last, retained: the caller releases them. */
    List<Segment> retainFrom(long lsn) throws TrimmedException {
        List<Segment> retained = new ArrayList<>();
        for (Segment segment : row) {
            if (segment.limitLsn() < lsn) {
                continue;
            }
            boolean isFirst = retained.isEmpty();
            if ((isFirst && segment.baseLsn() > lsn) || !segment.retain()) {
                retained.forEach(Segment::release);
                throw new TrimmedException(lsn, row.get(0).firstLsn());
            }
            retained.add(segment);
        }
        return retained;
    }

    /**
     * Adds a segment to the row. Log-writer thread, as is {@link #unrollTo}.
     *
     * @throws ShortageException when there was no space to prepare one, just now
     */
    synchronized Segment roll() throws IOException {
        if (prepared.isEmpty()) {
            shortage = null;
            signal.run();
            awaitPrepared();
        }
        Segment next = prepared.remove();
        List<Segment> longer = new ArrayList<>(row);
        longer.add(next);
        row = List.copyOf(longer);
        return next;
    }

    /** Makes this one the last of the row again: nothing was written into those behind it, which are ready for the next groups. */
    synchronized void unrollTo(Segment last) {
        List<Segment> seen = row;
        int kept = seen.indexOf(last) + 1;
        for (int i = seen.size() - 1; i >= kept; i--) {
            prepared.addFirst(seen.get(i));
        }
        row = List.copyOf(seen.subList(0, kept));
    }

    /**
     * Has the next segment prepared for groups such as there are now, on average, if it is not there yet. Log-writer thread.
     *
     * @param doneLsn nothing before this will be written or forced any more
     */
    void prepareAhead(int meanGroupBytes, long doneLsn) {
        synchronized (this) {
            groupBytes = meanGroupBytes;
            writtenBeforeLsn = doneLsn;
        }
        signal.run();
    }

    private void awaitPrepared() throws IOException {
        boolean interrupted = false;
        while (prepared.isEmpty() && shortage == null && !closed && !failures.isSet()) {
            try {
                wait();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (prepared.isEmpty()) {
            Throwable cause = failures.cause();
            throw cause != null
                    ? new IOException("The log failed before its next segment was there", cause)
                    : noSegment(shortage);
        }
    }

    private static ShortageException noSegment(@Nullable ShortageException why) {
        Kind kind = why == null ? Kind.SPACE : why.kind();
        return new ShortageException(
                kind, "No further segment of the log" + (why == null ? "" : ": " + why.getMessage()));
    }

    /**
     * Takes segments off the front of the row whose groups are all before this lsn. What stays begins with a group that has
     * been forced: {@link LogOpening} counts on that.
     */
    synchronized void trimBefore(long lsn, long forcedLsn) {
        List<Segment> seen = row;
        int count = 0;
        while (count + 1 < seen.size()
                && seen.get(count + 1).baseLsn() <= lsn
                && seen.get(count + 1).firstLsn() < forcedLsn) {
            count++;
        }
        if (count == 0) {
            return;
        }
        row = List.copyOf(seen.subList(count, seen.size()));
        for (Segment segment : seen.subList(0, count)) {
            trimmed.add(segment);
            segment.release();
        }
        signal.run();
    }

    synchronized long sizeBytes() {
        long sum = 0;
        for (Iterable<Segment> some : List.of(row, prepared, trimmed)) {
            for (Segment segment : some) {
                sum += segment.segmentBytes();
            }
        }
        return sum;
    }

    /** Disposes of what was trimmed and prepares what comes next. Log-segments thread. */
    void work() throws IOException {
        if (failures.isSet()) {
            return;
        }
        try {
            for (Segment next = nextTrimmed(); next != null; next = nextTrimmed()) {
                files.dispose(next);
                disposed();
            }
            prepare();
            stopWriting();
        } catch (ShortageException e) {
            isShort(e);
        }
    }

    /** In order, so that a crash never finds a gap; one that a reader still uses keeps those behind it waiting. */
    private synchronized @Nullable Segment nextTrimmed() {
        Segment first = trimmed.peek();
        return first != null && first.isUnused() ? first : null;
    }

    private synchronized void disposed() {
        trimmed.remove();
    }

    /** Segments that are full are only read: each would hold a descriptor for writing, and a log may have thousands. */
    private void stopWriting() throws IOException {
        List<Segment> seen;
        long before;
        synchronized (this) {
            seen = row;
            before = writtenBeforeLsn;
        }
        for (int i = seen.size() - 2; i >= 0 && i >= seen.size() - 1 - MAY_BE_WRITTEN; i--) {
            if (seen.get(i + 1).firstLsn() <= before && seen.get(i).retain()) {
                try {
                    seen.get(i).file().stopWriting();
                } finally {
                    seen.get(i).release();
                }
            }
        }
    }

    private void prepare() throws IOException {
        long baseLsn;
        int forGroups;
        synchronized (this) {
            if (!prepared.isEmpty() || closed) {
                return;
            }
            baseLsn = row.isEmpty() ? 0 : last().limitLsn();
            forGroups = groupBytes;
        }
        Segment segment = files.create(baseLsn, forGroups);
        synchronized (this) {
            if (segment == null) {
                return;
            }
            prepared.add(segment);
            notifyAll();
        }
    }

    private synchronized void isShort(ShortageException e) {
        shortage = e;
        notifyAll();
    }

    private synchronized void wakeAll() {
        notifyAll();
    }

    /** From now on nothing is prepared, only disposed of. */
    synchronized void stopPreparing() {
        closed = true;
        files.stop();
        notifyAll();
    }

    /** Closes all files; after {@link #work()} has run for the last time. */
    synchronized void close() throws IOException {
        for (Iterable<Segment> some : List.of(row, prepared, trimmed)) {
            for (Segment segment : some) {
                segment.file().close();
            }
        }
    }
}
