package io.rivulet.broker.txn;

import io.rivulet.broker.coordinator.CoordinatorClock;
import io.rivulet.broker.coordinator.Timers;
import io.rivulet.broker.coordinator.TransactionalOffsets;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.ErrorMapper;
import io.rivulet.store.Outcome;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * Ends transactions. In one log group lie what the groups are told, a marker for each queue, and the entry that says it is over; so a
 * crash leaves the transaction open or ended. One that is too large for a group is decided first by an entry of its own; then come
 * markers, some thousands at a time, and at last what else would have been in the one group. Whoever finds it decided, after a crash,
 * goes on with the markers that are missing.
 *
 * <p>Owned by: the thread that owns the groups.
 */
final class TxnEnding {
    /** More are not tried together. */
    private static final int MAX_MARKERS_TOGETHER = 40_000;
    /** Of a decided transaction; the smallest tail has room for them. */
    private static final int MARKERS_AT_ONCE = 4_000;

    private static final long RETRY_MILLIS = 100;

    private final OpenTransactions open;
    private final TxnJournal journal;
    private final TransactionalOffsets offsets;
    private final Timers timers;
    private final CoordinatorClock clock;

    TxnEnding(
            OpenTransactions open,
            TxnJournal journal,
            TransactionalOffsets offsets,
            Timers timers,
            CoordinatorClock clock) {
        this.open = open;
        this.journal = journal;
        this.offsets = offsets;
        this.timers = timers;
        this.clock = clock;
    }

    /**
     * Ends what the id has open.
     *
     * @param over what the log says of the id then
     * @param markerEpoch what the markers carry
     */
    void end(TransactionalId id, TxnImage over, short markerEpoch, Consumer<ErrorCode> done) {
        long producerId = id.image.producerId();
        id.busy = true;
        int[] queueIds = open.close(producerId);
        if (queueIds.length > MAX_MARKERS_TOGETHER) {
            decide(id, over, done);
            return;
        }
        boolean committed = over.state().isCommit();
        TxnJournal.Markers markers = new TxnJournal.Markers(producerId, markerEpoch, committed, queueIds);
        journal.append(
                markers, offsets.endEntry(producerId, committed), TxnEntryLayout.over(producerId, over), outcome -> {
                    if (outcome == Outcome.TOO_LARGE) {
                        decide(id, over, done);
                    } else if (outcome == Outcome.NO_QUEUE) {
                        end(id, over, markerEpoch, done); // deleted meanwhile
                    } else {
                        ended(id, producerId, outcome, done);
                    }
                });
    }

    private void ended(TransactionalId id, long producerId, Outcome outcome, Consumer<ErrorCode> done) {
        id.busy = false;
        if (outcome.isStored()) {
            cancelTimer(id);
            done.accept(ErrorCode.NONE);
        } else {
            open.reopen(producerId);
            ErrorCode error = ErrorMapper.of(outcome);
            done.accept(error == ErrorCode.KAFKA_STORAGE_ERROR ? ErrorCode.COORDINATOR_NOT_AVAILABLE : error);
        }
    }

    private static void cancelTimer(TransactionalId id) {
        Timers.Timer timer = id.timer;
        if (timer != null) {
            timer.cancel();
        }
    }

    // ---- more than one group holds ----

    private void decide(TransactionalId id, TxnImage over, Consumer<ErrorCode> done) {
        long producerId = id.image.producerId();
        journal.append(TxnEntryLayout.image(id.image.decided(over)), failure -> {
            if (failure == null) {
                cancelTimer(id);
                finish(id, done);
            } else {
                id.busy = false;
                open.reopen(producerId);
                done.accept(ErrorCode.COORDINATOR_NOT_AVAILABLE);
            }
        });
    }

    /** Brings a decided transaction to its end. */
    void finish(TransactionalId id) {
        finish(id, error -> {});
    }

    private void finish(TransactionalId id, Consumer<ErrorCode> done) {
        TxnImage decided = id.image;
        long producerId = decided.producerId();
        boolean committed = decided.state().isCommit();
        short markerEpoch = decided.nextId() == producerId ? decided.nextEpoch() : (short) (decided.epoch() + 1);
        int[] left = open.close(producerId);
        boolean last = left.length <= MARKERS_AT_ONCE;
        TxnJournal.Markers markers = new TxnJournal.Markers(
                producerId, markerEpoch, committed, last ? left : Arrays.copyOf(left, MARKERS_AT_ONCE));
        journal.append(
                markers,
                last ? offsets.endEntry(producerId, committed) : null,
                last ? TxnEntryLayout.over(producerId, decided.ofDecision()) : null,
                outcome -> {
                    if (!outcome.isStored()) {
                        timers.timer(() -> finish(id, done)).set(clock.nanosIn(RETRY_MILLIS));
                    } else if (last) {
                        id.busy = false;
                        done.accept(ErrorCode.NONE);
                    } else {
                        finish(id, done);
                    }
                });
    }

    // ---- by an administrator ----

    /** Writes one marker into a queue, whatever the id's state is, unless it was meant for an earlier transaction. */
    void mark(long producerId, short epoch, boolean committed, int queueId, Consumer<ErrorCode> done) {
        if (open.isOpenSince(producerId, epoch)) {
            done.accept(ErrorCode.INVALID_PRODUCER_EPOCH);
            return;
        }
        int[] queueIds = {queueId};
        journal.append(
                new TxnJournal.Markers(producerId, epoch, committed, queueIds),
                null,
                null,
                outcome -> done.accept(ErrorMapper.of(outcome)));
    }
}
