package io.rivulet.store.log.local;

import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.io.ShortageException;
import io.rivulet.store.io.ShortageException.Kind;
import io.rivulet.store.log.TrimmedException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The segments of an open log: those with groups, those prepared for later groups, and those trimmed but not yet
 * disposed of.
 *
 * <p>{@code row} is immutable and published by a volatile write; it and the two queues change under {@code this}.
 * {@link #work()} creates files and disposes of them on the log-segments thread, outside the lock. So the log-writer
 * waits here only if it has filled a whole segment before the next one was ready.
 */
final class SegmentList {
    /** Number of segments before the last one that may have been written since the last preparation. */
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

    /** Call it before the first use. */
    synchronized void start(List<Segment> holding, List<Segment> empty, Runnable workSignal) {
        row = List.copyOf(holding);
        prepared.addAll(empty);
        signal = workSignal;
    }

    /** Removes prepared segments, the last one first, until all match this configuration. */
    synchronized void dropUnfitting() throws IOException {
        boolean fit = prepared.stream().allMatch(files::fits);
        while (!fit && !prepared.isEmpty()) {
            files.dispose(prepared.removeLast());
        }
    }

    /** In lsn order; the log ends in the last one. */
    List<Segment> segments() {
        return row;
    }

    Segment last() {
        List<Segment> seen = row;
        return seen.get(seen.size() - 1);
    }

    /**
     * Called about once a second: if the last segment can't be found by its name, what is written to it is lost.
     *
     * @throws IOException if it was removed or replaced
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

    /** The segment with this lsn, retained: the caller releases it. */
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

    /** All segments from the one with this lsn to the last, retained: the caller releases them. */
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
     * @throws ShortageException if there was no space to prepare one
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

    /**
     * Makes this the last segment of the row again. The ones after it are still empty and are used for the next groups.
     */
    synchronized void unrollTo(Segment last) {
        List<Segment> seen = row;
        int kept = seen.indexOf(last) + 1;
        for (int i = seen.size() - 1; i >= kept; i--) {
            prepared.addFirst(seen.get(i));
        }
        row = List.copyOf(seen.subList(0, kept));
    }

    /**
     * Starts the preparation of the next segment, for groups of this average size, unless it is ready. Log-writer
     * thread.
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
                    ? new IOException("The log failed before its next segment was ready", cause)
                    : noSegment(shortage);
        }
    }

    private static ShortageException noSegment(@Nullable ShortageException why) {
        Kind kind = why == null ? Kind.SPACE : why.kind();
        return new ShortageException(
                kind, "No further segment of the log" + (why == null ? "" : ": " + why.getMessage()));
    }

    /**
     * Removes segments from the front of the row whose groups are all before this lsn. The first remaining group must
     * have been forced: {@link LogOpening} requires that.
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

    /** Disposes of trimmed segments and prepares the next one. Log-segments thread. */
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

    /** In order, so that a crash never leaves a gap. If a reader still uses a segment, the ones after it wait. */
    private synchronized @Nullable Segment nextTrimmed() {
        Segment first = trimmed.peek();
        return first != null && first.isUnused() ? first : null;
    }

    private synchronized void disposed() {
        trimmed.remove();
    }

    /** Full segments are only read. Each would keep a descriptor for writing, and a log may have thousands. */
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

    /** Later work only disposes of segments. */
    synchronized void stopPreparing() {
        closed = true;
        files.stop();
        notifyAll();
    }

    /** Closes all files; call it after the last {@link #work()}. */
    synchronized void close() throws IOException {
        for (Iterable<Segment> some : List.of(row, prepared, trimmed)) {
            for (Segment segment : some) {
                segment.file().close();
            }
        }
    }
}
