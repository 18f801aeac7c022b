package io.rivulet.broker.share;

import io.rivulet.broker.error.ErrorCode;
import java.util.List;

/**
 * The acknowledgements of a member for one row: first all are checked, then all begin.
 *
 * <p>Guarded by the lock of its group.
 */
final class Acknowledgement {
    private final LockList locks;
    private final ShareMemory memory;
    private final ShareCounters counters;
    private final Acquisition splitting;
    private RowRuns runs = new RowRuns();
    private String member = "";
    private Limits limits = new Limits(0, 0, 0, false);
    private long reservedBytes;

    Acknowledgement(LockList locks, ShareMemory memory, ShareCounters counters, Acquisition splitting) {
        this.locks = locks;
        this.memory = memory;
        this.counters = counters;
        this.splitting = splitting;
    }

    /** Begins with a row. Reserves memory, if there is no error. */
    ErrorCode check(RowRuns ofRow, String by, Limits within, List<AckBatch> batches) {
        runs = ofRow;
        member = by;
        limits = within;
        long newRuns = 0;
        long ended = 0;
        for (AckBatch batch : batches) {
            ErrorCode error = check(batch);
            if (error != ErrorCode.NONE) {
                return error;
            }
            newRuns += 2L * batch.typeCount();
            ended += 2L * batch.typeCount() + runsOf(batch);
        }
        reservedBytes = newRuns * Run.HEAP_BYTES + ended * Results.HEAP_BYTES;
        return memory.tryAdd(reservedBytes) ? ErrorCode.NONE : ErrorCode.POLICY_VIOLATION;
    }

    private int runsOf(AckBatch batch) {
        return runs.find(batch.lastOffset() + 1) - runs.find(batch.firstOffset());
    }

    /** Records before the start offset need no acknowledgement, if others of the batch are behind it. */
    private ErrorCode check(AckBatch batch) {
        Run first = runs.get(0);
        Run last = runs.get(runs.size() - 1);
        if (batch.lastOffset() < first.first) {
            return ErrorCode.INVALID_RECORD_STATE;
        }
        if (batch.lastOffset() > last.last) {
            return ErrorCode.INVALID_REQUEST;
        }
        if (!limits.renew() && batch.has(AckType.RENEW)) {
            return ErrorCode.INVALID_RECORD_STATE;
        }
        for (int i = runs.find(batch.firstOffset()); i < runs.size() && runs.get(i).first <= batch.lastOffset(); i++) {
            Run run = runs.get(i);
            if (!run.isHole() && !run.isHeldBy(member)) {
                return ErrorCode.INVALID_RECORD_STATE;
            }
        }
        return ErrorCode.NONE;
    }

    /** Called after the check, with the same batches. */
    void begin(List<AckBatch> batches, long deadlineNanos, Results results) {
        int before = results.size();
        for (AckBatch batch : batches) {
            long offset = Math.max(batch.firstOffset(), runs.get(0).first);
            while (offset <= batch.lastOffset()) {
                Run run = runs.get(runs.find(offset));
                long last = batch.lastOfType(offset, Math.min(run.last, batch.lastOffset()));
                if (!run.isHole()) {
                    if (run.first != offset || run.last != last) {
                        splitting.split(runs, offset);
                        splitting.split(runs, last + 1);
                        run = runs.get(runs.find(offset));
                    }
                    begin(run, batch.typeOf(offset), deadlineNanos, results);
                }
                offset = last + 1;
            }
        }
        memory.add((long) (results.size() - before) * Results.HEAP_BYTES - reservedBytes);
    }

    private void begin(Run run, byte type, long deadlineNanos, Results results) {
        locks.remove(run);
        counters.acknowledged(type, run.count());
        if (type == AckType.RENEW) {
            locks.add(run, deadlineNanos);
            return;
        }
        boolean mayReturn = run.deliveries < limits.deliveryCount();
        counters.exhausted(type == AckType.RELEASE && !mayReturn ? run.count() : 0);
        run.pending = switch (type) {
            case AckType.ACCEPT -> RecordState.ACKNOWLEDGED;
            case AckType.RELEASE -> mayReturn ? RecordState.AVAILABLE : RecordState.ARCHIVED;
            default -> RecordState.ARCHIVED;
        };
        run.cause = switch (type) {
            case AckType.REJECT -> DeadCause.REJECTED;
            case AckType.RELEASE -> mayReturn ? DeadCause.NONE : DeadCause.EXHAUSTED;
            default -> DeadCause.NONE;
        };
        results.add(run);
    }
}
