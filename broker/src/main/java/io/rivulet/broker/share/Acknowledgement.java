package io.rivulet.broker.share;

import io.rivulet.broker.error.ErrorCode;
import java.util.List;

/**
 * The acknowledgements of a member for one row: first all are checked, then all begin.
 *
 * <p>Guarded by the lock of its group.
 */
final class Acknowledgement {
    private final RowRuns runs;
    private final LockList locks;
    private final ShareMemory memory;
    private final ShareCounters counters;
    private final String member;
    private final Limits limits;
    private final Acquisition splitting;

    Acknowledgement(
            RowRuns runs, LockList locks, ShareMemory memory, ShareCounters counters, String member, Limits limits) {
        this.runs = runs;
        this.locks = locks;
        this.memory = memory;
        this.counters = counters;
        this.member = member;
        this.limits = limits;
        this.splitting = new Acquisition(locks, memory);
    }

    ErrorCode check(List<AckBatch> batches) {
        long newRuns = 0;
        for (AckBatch batch : batches) {
            ErrorCode error = check(batch);
            if (error != ErrorCode.NONE) {
                return error;
            }
            newRuns += 2L * batch.typeCount();
        }
        return memory.hasRoomFor(newRuns * Run.HEAP_BYTES) ? ErrorCode.NONE : ErrorCode.POLICY_VIOLATION;
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
    void begin(List<AckBatch> batches, long deadlineNanos, List<Run> results) {
        for (AckBatch batch : batches) {
            long offset = Math.max(batch.firstOffset(), runs.get(0).first);
            while (offset <= batch.lastOffset()) {
                Run run = runs.get(runs.find(offset));
                long last = batch.lastOfType(offset, Math.min(run.last, batch.lastOffset()));
                if (!run.isHole()) {
                    splitting.split(runs, offset);
                    splitting.split(runs, last + 1);
                    begin(runs.get(runs.find(offset)), batch.typeOf(offset), deadlineNanos, results);
                }
                offset = last + 1;
            }
        }
    }

    private void begin(Run run, byte type, long deadlineNanos, List<Run> results) {
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
        results.add(run);
    }
}
