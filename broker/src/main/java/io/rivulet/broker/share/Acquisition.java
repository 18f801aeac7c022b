package io.rivulet.broker.share;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Acquires the records of one row that a fetch has read.
 *
 * <p>Guarded by the lock of its group.
 */
final class Acquisition {
    /** The most new runs for a span: the gap before it, two splits, and its records. */
    private static final int RUNS_OF_SPAN = 6;

    static final long BYTES_OF_SPAN = (long) RUNS_OF_SPAN * Run.HEAP_BYTES;

    private static final int NONE = -1;

    private final LockList locks;
    private final ShareMemory memory;
    private final RunPool pool;
    private final List<Run> acquired = new ArrayList<>();
    private RowRuns runs = new RowRuns();
    private int queueId;
    private long start;
    private int batchRecords;
    private String member = "";
    private long deadlineNanos;
    private @Nullable Limits limits;
    /** How often the records were delivered that come with few others; {@link #NONE} if they come with all. */
    private int throttled;
    /** How many more of these may come. */
    private long throttledLeft;
    /** No more records may come with those that were acquired. */
    private boolean ended;

    Acquisition(LockList locks, ShareMemory memory, RunPool pool) {
        this.locks = locks;
        this.memory = memory;
        this.pool = pool;
    }

    void begin(Claim claim, long rowStart, int records, String by, long deadline) {
        runs = claim.runs();
        queueId = claim.queueId();
        limits = claim.limits();
        throttled = NONE;
        ended = false;
        start = rowStart;
        batchRecords = records;
        member = by;
        deadlineNanos = deadline;
        acquired.clear();
    }

    /** Whole spans, except the last one if the records are limited. */
    List<Acquired> acquire(Spans read, long from, long until, long maxRecords) {
        long next = from;
        long left = maxRecords;
        for (int i = 0; i < read.size() && left > 0 && !ended; i++) {
            if (!memory.hasRoomFor(BYTES_OF_SPAN)) {
                left = 0; // the rest is not under way
                break;
            }
            archive(next, read.first(i) - 1);
            next = Math.max(next, read.first(i));
            left -= acquire(next, read.last(i), left);
            next = Math.max(next, read.last(i) + 1);
        }
        if (left > 0 && !ended) {
            archive(next, until - 1);
        }
        for (Run run : acquired) {
            run.together = (int) run.count();
        }
        return acquired.size() == 1 ? List.of(toldOf(acquired.get(0))) : toldOf(acquired);
    }

    private static List<Acquired> toldOf(List<Run> runs) {
        List<Acquired> told = new ArrayList<>(runs.size());
        for (Run run : runs) {
            told.add(toldOf(run));
        }
        return told;
    }

    private static Acquired toldOf(Run run) {
        return new Acquired(run.first, run.last, run.deliveries);
    }

    /** There is no record to deliver at these offsets. */
    private void archive(long first, long last) {
        if (first > last) {
            return;
        }
        extendTo(last);
        splitAvailable(first);
        splitAvailable(last + 1);
        int index = runs.find(first);
        for (int i = index; i < runs.size() && runs.get(i).last <= last; i++) {
            Run run = runs.get(i);
            if (run.isAvailable()) {
                run.state = RecordState.ARCHIVED;
                run.deliveries = 0;
                run.together = 0;
            }
        }
    }

    /** Records that were not under way are available. */
    private void extendTo(long last) {
        long next = runs.next(start);
        if (next <= last) {
            runs.append(pool.run(queueId, next, last, RecordState.AVAILABLE, 0));
            memory.add(Run.HEAP_BYTES);
        }
    }

    private long acquire(long first, long last, long most) {
        long nextUnderWay = Math.max(first, runs.next(start));
        // Not further than the limit, so that the rest is not under way.
        extendTo(Math.min(last, nextUnderWay + Math.min(most, last - first + 1) - 1));
        splitAvailable(first);
        splitAvailable(last + 1);
        long count = 0;
        int i = runs.find(first);
        while (i < runs.size() && runs.get(i).first <= last && count < most) {
            Run run = runs.get(i);
            if (!run.isAvailable()) {
                i++;
                continue;
            }
            long allowed = Math.min(most - count, allowedOf(run));
            if (allowed == 0) {
                ended = true;
                break;
            }
            if (run.count() > allowed) {
                split(runs, run.first + allowed);
            }
            throttledLeft -= run.count();
            count += run.count();
            lock(run);
            Run before = i > 0 ? joinable(runs.get(i - 1), run) : null;
            if (before == null) {
                acquired.add(run);
                i++;
            } else {
                before.last = run.last;
                locks.remove(run);
                runs.remove(i, i + 1);
                memory.add(-Run.HEAP_BYTES);
            }
        }
        dropUntouched(runs);
        return count;
    }

    /**
     * How many records of the run may come with those that were acquired. Records that were delivered often come alone,
     * or with some that were delivered as often.
     */
    private long allowedOf(Run run) {
        Limits of = Objects.requireNonNull(limits);
        boolean isOften = of.throttles(run.deliveries);
        if (isOften && acquired.isEmpty()) {
            throttled = run.deliveries;
            throttledLeft = of.together(run.deliveries, run.together);
        }
        if (throttled != (isOften ? run.deliveries : NONE)) {
            return 0;
        }
        return isOften ? throttledLeft : Long.MAX_VALUE;
    }

    /** Records at the end that were not taken are not under way. */
    void dropUntouched(RowRuns ofRow) {
        Run last = ofRow.size() == 0 ? null : ofRow.get(ofRow.size() - 1);
        if (last != null && last.isAvailable() && last.deliveries == 0) {
            ofRow.remove(ofRow.size() - 1, ofRow.size());
            memory.add(-Run.HEAP_BYTES);
        }
    }

    private void lock(Run run) {
        run.state = RecordState.ACQUIRED;
        run.deliveries++;
        run.owner = member;
        locks.add(run, deadlineNanos);
    }

    /** The run before, if it was acquired just now and may grow by the next one. */
    private @Nullable Run joinable(Run before, Run run) {
        boolean isLast = !acquired.isEmpty() && acquired.get(acquired.size() - 1) == before;
        boolean joins = isLast && before.deliveries == run.deliveries && before.count() < batchRecords;
        return joins ? before : null;
    }

    /** Others stay whole: the results of a pending run must have all of it. */
    private void splitAvailable(long offset) {
        int index = runs.find(offset);
        if (index < runs.size() && runs.get(index).isAvailable()) {
            split(runs, offset);
        }
    }

    /** From now on a run begins at this offset, if one has it. */
    void split(RowRuns ofRow, long offset) {
        int index = ofRow.find(offset);
        if (index == ofRow.size() || ofRow.get(index).first >= offset) {
            return;
        }
        Run run = ofRow.get(index);
        Run rest = pool.run(run.queueId, offset, run.last, run.state, run.deliveries);
        rest.owner = run.owner;
        rest.pending = run.pending;
        rest.cause = run.cause;
        rest.together = run.together;
        run.last = offset - 1;
        ofRow.insert(index + 1, rest);
        memory.add(Run.HEAP_BYTES);
        if (locks.has(run)) {
            locks.addSplit(run, rest);
        }
    }
}
