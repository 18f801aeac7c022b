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
 * Ends transactions. One log group holds the entry for the offsets of groups, a marker for each queue, and the entry
 * that ends the transaction; so after a crash it is open or ended. A transaction that is too large for one log group is
 * first decided by an entry of its own. Markers follow, some thousands at a time; the last of them come with the other
 * two entries. After a crash a decided transaction continues with the missing markers.
 *
 * <p>Owned by: the coordinator thread.
 */
record TxnEnding(
        OpenTransactions open,
        TxnJournal journal,
        TransactionalOffsets offsets,
        Timers timers,
        CoordinatorClock clock) {
    /** With more markers the transaction is decided first. */
    private static final int MAX_MARKERS_TOGETHER = 40_000;
    /** Markers of a decided transaction in one log group; the smallest tail has room for them. */
    private static final int MARKERS_AT_ONCE = 4_000;

    private static final long RETRY_MILLIS = 100;

    /**
     * Ends the open transaction of the id.
     *
     * @param over the image of the id after the end
     * @param markerEpoch the epoch in the markers
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
                        end(id, over, markerEpoch, done); // a queue was deleted
                    } else {
                        ended(id, producerId, outcome, done);
                    }
                });
    }

    /** Aborts the open transaction and raises the epoch, so that requests of the producer are refused from now on. */
    void fence(TransactionalId id, Consumer<ErrorCode> done) {
        TxnImage image = id.image;
        short epoch = (short) Math.min(Short.MAX_VALUE, image.epoch() + 1);
        TxnImage over = image.over(false, image.producerId(), epoch, false, clock.stampMillis());
        end(id, over, epoch, done);
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
        if (id.timer != null) {
            id.timer.cancel();
        }
    }

    // ---- transactions that are too large for one log group ----

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

    /** Finishes a decided transaction. */
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

    /** Writes one marker into a queue, in any state of the id, unless a later epoch has a transaction open. */
    void mark(TxnJournal.ForeignMarker marker, Consumer<ErrorCode> done) {
        if (open.isOpenSince(marker.producerId(), marker.epoch())) {
            done.accept(ErrorCode.INVALID_PRODUCER_EPOCH);
        } else {
            journal.append(marker, done);
        }
    }
}
