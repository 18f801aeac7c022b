package io.rivulet.broker.share;

import java.util.Arrays;

/**
 * Runs and rows that have ended, for the next ones. A member has its records for longer than a young generation lasts,
 * so a busy group would keep the collector at work with objects that it has only just moved to the old generation.
 *
 * <p>Its objects are not counted with the heap of share groups, but all pools together have no more than a part of
 * their limit ({@link ShareMemory#tryPool}).
 *
 * <p>Guarded by the lock of its group.
 */
final class RunPool {
    private static final int FIRST_PLACES = 1024;
    private static final int MOST_PLACES = 64 << 10;
    private static final long BYTES_PER_PLACE = Run.HEAP_BYTES + RowRuns.HEAP_BYTES;

    private final ShareMemory memory;
    private Run[] runs = new Run[0];
    private int runCount;
    private RowRuns[] rows = new RowRuns[0];
    private int rowCount;

    RunPool(ShareMemory memory) {
        this.memory = memory;
    }

    Run run(int queueId, long first, long last, byte state, int deliveries) {
        if (runCount == 0) {
            return new Run(queueId, first, last, state, deliveries);
        }
        Run run = runs[--runCount];
        runs[runCount] = null;
        run.begin(queueId, first, last, state, deliveries);
        return run;
    }

    RowRuns row() {
        if (rowCount == 0) {
            return new RowRuns();
        }
        RowRuns row = rows[--rowCount];
        rows[rowCount] = null;
        return row;
    }

    /** The run is used no more. */
    void add(Run run) {
        if (runCount < runs.length || grow()) {
            runs[runCount++] = run;
        }
    }

    /** The idle row is used no more. */
    void add(RowRuns row) {
        if (row.isSmall() && (rowCount < rows.length || grow())) {
            row.clear();
            rows[rowCount++] = row;
        }
    }

    private boolean grow() {
        int places = Math.max(FIRST_PLACES, 2 * runs.length);
        if (places > MOST_PLACES || !memory.tryPool((places - runs.length) * BYTES_PER_PLACE)) {
            return false;
        }
        runs = Arrays.copyOf(runs, places);
        rows = Arrays.copyOf(rows, places);
        return true;
    }

    /** The group is not busy any more. */
    void clear() {
        memory.unpool(runs.length * BYTES_PER_PLACE);
        runs = new Run[0];
        runCount = 0;
        rows = new RowRuns[0];
        rowCount = 0;
    }
}
