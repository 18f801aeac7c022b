package io.rivulet.cluster.ledger;

import io.rivulet.cluster.engine.Engine;
import io.rivulet.cluster.engine.FencedException;
import io.rivulet.cluster.engine.Ledger;
import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.failure.LogLimit;
import io.rivulet.store.failure.OwnerChangedException;
import io.rivulet.store.log.DamagedLogException;
import io.rivulet.store.log.LogCounters;
import io.rivulet.store.log.LogGroup;
import java.io.IOException;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives groups their places, sends them, and moves the watermark when they are answered.
 *
 * <p><b>Roll.</b> When the ledger has enough bytes or is old enough, log-io makes the next one and enters it in the
 * record. Until that is done, groups still go to the old one, however long that takes: so appends go on while no ledger
 * can be made or entered. The next {@link #check} tries again. Groups of the next ledger wait until all of the old one
 * are answered. So what the log holds has no gap, whatever is lost with its owner.
 *
 * <p><b>Shortage.</b> Without any ledger, the first group waits for one. If none can be made or entered, the group and
 * those after it are refused: nothing of them was sent.
 *
 * <p>Threads: {@link #append}, {@link #withdrawRefused} and the fields below "log-writer" are the log-writer's. {@link
 * #work} is log-io's. The rest is guarded by {@code this}; watermarks are volatile.
 */
final class LedgerAppends implements PlacedGroup.Answers {
    private static final Logger LOG = LoggerFactory.getLogger(LedgerAppends.class);
    private static final long NO_ID = -1;
    private static final LogLimit LIMIT = LogLimit.aMinute(3);

    private final Engine engine;
    private final OwnedRecord record;
    private final LedgerRow row;
    private final FailureLatch failures;
    private final LogCounters counters;
    private final Runnable wakeUp;
    private final long maxLedgerBytes;
    private Runnable signal = () -> {};

    // ---- log-writer ----
    private int ordinal;
    private long nextEntryId;
    private long ledgerBytes;

    // ---- log-io ----
    /** Of the next ledger that is made. */
    private long notedId = NO_ID;
    /** Not in the record yet, as far as is known. */
    private @Nullable Ledger created;

    // ---- guarded by this ----
    private final ArrayDeque<PlacedGroup> sent = new ArrayDeque<>();
    private final ArrayDeque<PlacedGroup> waiting = new ArrayDeque<>();
    private @Nullable LogLedger current;
    private @Nullable LogLedger next;
    /** Of the ledger that will be made. */
    private int nextOrdinal;

    private final ArrayDeque<LogLedger> ended = new ArrayDeque<>();
    private boolean wanted;
    /** The ledger that was wanted is not there: the next {@link #check} wants it again. */
    private boolean missing;

    private boolean refused;

    private volatile long appendedLsn;
    private volatile long durableLsn;
    private volatile boolean starved;
    private volatile boolean closing;
    /**
     * Why the engine has not stored a group: the log fails, when log-io knows whether it has another owner. Written
     * under {@code this}.
     */
    private volatile @Nullable Throwable unstored;

    LedgerAppends(
            Engine engine,
            OwnedRecord record,
            LedgerRow row,
            FailureLatch failures,
            LogCounters counters,
            Runnable wakeUp,
            long maxLedgerBytes,
            long endLsn) {
        this.engine = engine;
        this.record = record;
        this.row = row;
        this.failures = failures;
        this.counters = counters;
        this.wakeUp = wakeUp;
        this.maxLedgerBytes = maxLedgerBytes;
        this.appendedLsn = endLsn;
        this.durableLsn = endLsn;
        this.nextOrdinal = record.record().nextOrdinal();
        failures.onFailure(this::wakeWaiters);
    }

    /** Call it before the first append. */
    void start(Runnable workSignal) {
        signal = workSignal;
    }

    // ---- log-writer ----

    PlacedGroup append(LogGroup group) {
        chooseLedger();
        long lsn = Lsns.of(ordinal, nextEntryId);
        LogRecord owned = record.record();
        group.place(lsn, owned.storeId(), owned.epoch(), appendedLsn, durableLsn);
        int entries = GroupWalk.entries(group.paddedLength());
        PlacedGroup placed = new PlacedGroup(group, entries);
        nextEntryId += entries;
        ledgerBytes += group.paddedLength();
        appendedLsn = placed.endLsn();
        sendOrWait(placed);
        if (ledgerBytes >= maxLedgerBytes) {
            wantLedger();
        }
        return placed;
    }

    /** The next ledger, as soon as it is there; without any, the one that will be made. */
    private void chooseLedger() {
        int chosen;
        synchronized (this) {
            LogLedger latest = next != null ? next : current;
            chosen = latest != null ? latest.ordinal() : nextOrdinal;
        }
        if (chosen != ordinal) {
            ordinal = chosen;
            nextEntryId = 0;
            ledgerBytes = 0;
        }
    }

    private synchronized void sendOrWait(PlacedGroup placed) {
        LogLedger open = current;
        if (open == null) {
            waiting.add(placed);
            wantLedger();
        } else if (open.ordinal() == Lsns.ordinal(placed.group().lsn())) {
            send(placed, open);
        } else {
            waiting.add(placed);
            moveOn();
        }
    }

    private void send(PlacedGroup placed, LogLedger to) {
        sent.add(placed);
        placed.send(to.ledger(), this);
    }

    /** Makes the next ledger, if none is made already. */
    synchronized void wantLedger() {
        if (!wanted && !missing && next == null) {
            wanted = true;
            signal.run();
        }
    }

    /** Tries again what has failed. */
    synchronized void check() {
        if (missing) {
            missing = false;
            wantLedger();
        }
    }

    /** Groups that are not acknowledged. */
    synchronized int onTheirWay() {
        return sent.size() + waiting.size();
    }

    /** Whether the current ledger has groups: then it may be replaced because of its age. */
    synchronized boolean hasBegun() {
        return current != null && current.ledger().entryCount() > 0;
    }

    boolean withdrawRefused() {
        synchronized (this) {
            if (!refused) {
                return false;
            }
            refused = false;
            // A group that was appended after the refusal has asked for a ledger, and is withdrawn, too.
            wanted = false;
            counters.refused(waiting.size());
            waiting.forEach(placed -> placed.group().withdrawn());
            waiting.clear();
            appendedLsn = durableLsn;
            ordinal = 0;
            notifyAll();
        }
        return true;
    }

    // ---- log-io ----

    /** Makes the ledger that is wanted, and ends those that are full. */
    void work() {
        for (LogLedger full = nextEnded(); full != null; full = nextEnded()) {
            full.close();
        }
        if (failures.isSet()) {
            return;
        }
        Throwable cause = unstored;
        if (cause != null) {
            failures.guard(() -> fail(cause));
        } else if (isWanted()) {
            failures.guard(this::makeLedger);
        }
    }

    /**
     * The next owner may be the reason: it fences and closes the ledger. An engine that copies what a lost bookie had
     * does the same to a ledger that gets no entries; then the log has its owner as before. The record says which it
     * is. If it can't be read, a fence counts as another owner's, whom this one must not stop by starting again.
     */
    private void fail(Throwable cause) throws IOException {
        try {
            record.requireOwned();
        } catch (OwnerChangedException | DamagedLogException e) {
            throw e;
        } catch (IOException e) {
            if (cause instanceof FencedException) {
                throw new OwnerChangedException(record.name(), e);
            }
            cause.addSuppressed(e);
        }
        throw notStored(cause);
    }

    private static IOException notStored(Throwable cause) {
        return new IOException("A group could not be stored: " + cause.getMessage(), cause);
    }

    private synchronized boolean isWanted() {
        return wanted && !refused;
    }

    private synchronized @Nullable LogLedger nextEnded() {
        return ended.poll();
    }

    /** A ledger that could not be entered is kept: perhaps it is in the record, and only the answer was lost. */
    private void makeLedger() throws IOException {
        LogLedger added;
        try {
            Ledger ledger = created != null ? created : create();
            created = ledger;
            added = row.add(ledger);
        } catch (OwnerChangedException | DamagedLogException e) {
            throw e;
        } catch (IOException e) {
            notMade(e);
            return;
        }
        created = null;
        made(added);
    }

    private Ledger create() throws IOException {
        if (notedId == NO_ID) {
            long id = engine.reserve();
            row.note(id);
            notedId = id;
        }
        Ledger ledger = engine.create(notedId);
        notedId = NO_ID;
        return ledger;
    }

    private synchronized void made(LogLedger made) {
        wanted = false;
        next = made;
        nextOrdinal = made.ordinal() + 1;
        moveOn();
    }

    /** Goes on with the current ledger, if there is one. */
    private void notMade(IOException cause) {
        boolean refuses;
        synchronized (this) {
            wanted = false;
            missing = current != null;
            refuses = current == null && !waiting.isEmpty();
            refused |= refuses;
            notifyAll();
        }
        LIMIT.log(more -> LOG.warn("No new ledger for the log: {}{}", cause.getMessage(), more));
        if (refuses) {
            wakeUp.run();
        }
    }

    /** Switches to the next ledger, if all groups of the current one are answered and others wait. */
    private void moveOn() {
        LogLedger following = next;
        boolean switches = following != null && sent.isEmpty() && (current == null || !waiting.isEmpty());
        if (following == null || !switches || failures.isSet()) {
            return;
        }
        if (current != null) {
            current.ended(durableLsn);
            ended.add(current);
            signal.run();
        }
        current = following;
        next = null;
        for (PlacedGroup placed = waiting.poll(); placed != null; placed = waiting.poll()) {
            send(placed, following);
        }
    }

    // ---- threads of the engine ----

    @Override
    public void answered(PlacedGroup group, @Nullable Throwable failure) {
        if (failure != null) {
            failed(failure);
            return;
        }
        failures.guard(() -> {
            if (isDurable(group)) {
                wakeUp.run();
            }
        });
    }

    /** Of a shared log, its brokers find out by themselves who the owner is: none of them waits for that here. */
    private void failed(Throwable failure) {
        if (record.record().isShared()) {
            failures.fail(notStored(failure));
            return;
        }
        synchronized (this) {
            // The first failure tells more than those that follow from it.
            unstored = unstored == null ? failure : unstored;
        }
        signal.run();
    }

    private synchronized boolean isDurable(PlacedGroup group) {
        group.answersLeft--;
        boolean moved = false;
        for (PlacedGroup first = sent.peek(); first != null && first.answersLeft == 0; first = sent.peek()) {
            sent.remove();
            counters.written(first.group().paddedLength());
            counters.forced(System.nanoTime() - first.sentNanos());
            durableLsn = first.endLsn();
            moved = true;
        }
        if (moved) {
            moveOn();
            notifyAll();
        }
        return moved;
    }

    @Override
    public void freed() {
        if (starved) {
            wakeUp.run();
        }
    }

    /** Whether the log-writer waits for the memory of a group. */
    void starved(boolean waits) {
        starved = waits;
    }

    // ---- any thread ----

    long durableLsn() {
        return durableLsn;
    }

    /**
     * Returns when all that was appended before the call is durable or refused.
     *
     * @throws IOException if the log has failed, or closes and the engine does not answer
     */
    void await() throws IOException {
        long targetLsn = appendedLsn;
        engine.await(this, () -> isSettled(targetLsn), this::durableLsn, () -> closing);
        Throwable cause = failures.cause();
        if (durableLsn < targetLsn && cause != null) {
            throw new IOException(
                    "The log failed before it was durable up to lsn " + Long.toHexString(targetLsn), cause);
        }
    }

    private synchronized boolean isSettled(long targetLsn) {
        return durableLsn >= Math.min(targetLsn, appendedLsn) || refused || failures.isSet();
    }

    /** From now on {@link #await} has a limit, also where it waits already. */
    synchronized void closeSoon() {
        closing = true;
        notifyAll();
    }

    private synchronized void wakeWaiters() {
        notifyAll();
    }
}
