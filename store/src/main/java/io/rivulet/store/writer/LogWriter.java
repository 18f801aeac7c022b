package io.rivulet.store.writer;

import io.rivulet.store.BatchGate;
import io.rivulet.store.Outcome;
import io.rivulet.store.log.AppendException;
import io.rivulet.store.log.CommitLog;
import io.rivulet.store.queue.QueueTable;
import io.rivulet.store.tail.Tail;
import io.rivulet.store.thread.Workers;
import io.rivulet.store.thread.Workers.Worker;
import io.rivulet.store.time.StoreClock;
import io.rivulet.store.view.Applier;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jctools.queues.MpscArrayQueue;
import org.jctools.queues.MpscUnboundedArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * Puts all entries in order. Fills a group from the queue of commands and appends it to the log while earlier groups
 * are being forced. When a group is durable, applies it and completes its commands.
 *
 * <p>There is no linger timer. A group is appended when it is full, or when the log allows one more that is not: no
 * other is in flight, or a small one that is written and not yet forced, so that one force covers both. Commands that
 * arrive during a force form the next group.
 *
 * <p>Owned by: log-writer thread, except {@link #offer}, {@link #execute}, {@link #isReadable}, {@link #whenReadable},
 * {@link #appliedLsn}, {@link #signal} and {@link #close}.
 */
public final class LogWriter implements AutoCloseable {
    /** What the log writer needs from the rest of the store. */
    public interface Surroundings {
        /** Entries were applied, or found no room in the tail: a sweep may be due. Called often; must not block. */
        void applied();

        /** There may be room for rejected commands. Called often; must not block. */
        void hasRoom();

        /** Whether the sweep, which makes room in the tail, waits for space on the disk. */
        boolean isDiskFull();

        /** A bug, or inconsistent state: nothing more is written. */
        void broken(Throwable cause);
    }

    private static final int ERRANDS_AT_ONCE = 64;

    /** A disk of 1 MB/s writes the largest group in half this time. */
    private static final long STALLED_MILLIS = 10_000;

    /**
     * How many full groups may be in flight: waiting, being written, being forced. Two of the twelve groups are left to
     * form the next ones.
     */
    private static final int MAX_IN_FLIGHT = 10;

    private final CommitLog log;
    private final Tail tail;
    private final Applier applier;
    private final GroupAssembly assembly;
    private final Surroundings surroundings;
    private final StoreClock clock;
    private final Worker worker;

    private final MpscArrayQueue<Command> commands;
    private final MpscUnboundedArrayQueue<Runnable> errands = new MpscUnboundedArrayQueue<>(ERRANDS_AT_ONCE);
    private final long maxHeldBytes;
    private final AtomicLong heldBytes = new AtomicLong();
    private volatile boolean closing;
    /** The log-writer thread has ended. From then on callers drain {@link #commands} themselves, one at a time. */
    private volatile boolean stopped;

    private volatile long appliedLsn;
    private final ReadBarrier barrier = new ReadBarrier();
    private final ShortageLog shortages = new ShortageLog();

    private final Deque<PendingGroup> inFlight = new ArrayDeque<>();
    /** When the first group in flight became the first. */
    private long movedMillis;

    private @Nullable Command current;
    /** How many parts of the current command are attached to groups. */
    private int attachedParts;

    private @Nullable Outcome ended;

    public LogWriter(
            LogWriterConfig config,
            CommitLog log,
            QueueTable table,
            Tail tail,
            Applier applier,
            @Nullable BatchGate gate,
            Surroundings surroundings,
            StoreClock clock,
            Workers workers) {
        this.log = log;
        this.tail = tail;
        this.applier = applier;
        this.surroundings = surroundings;
        this.clock = clock;
        this.assembly = new GroupAssembly(log, table, tail, gate, config.timestampBase(), config.maxBodyBytes());
        this.commands = new MpscArrayQueue<>(config.maxCommands());
        this.appliedLsn = log.durableLsn();
        this.maxHeldBytes = config.maxHeldBytes();
        this.worker = workers.start("log-writer", this::work);
    }

    // ---- any thread ----

    /**
     * Takes the command; false if too many commands or bytes are waiting: try again after {@link Surroundings#hasRoom}.
     */
    public boolean offer(Command command) {
        long bytes = command.heldBytes();
        if (heldBytes.getAndAdd(bytes) > maxHeldBytes || !commands.offer(command)) {
            heldBytes.getAndAdd(-bytes);
            worker.signal();
            return false;
        }
        worker.signal();
        if (stopped) {
            refuseWaiting();
        }
        return true;
    }

    /** Runs a short action on the log-writer thread, soon. For the background thread, which rarely needs it. */
    public void execute(Runnable errand) {
        errands.offer(errand);
        worker.signal();
    }

    /** Whether everything that has been acknowledged can be read. */
    public boolean isReadable() {
        return barrier.isOpen(appliedLsn);
    }

    /** Runs the action when everything that has been acknowledged can be read, or the log writer has ended. */
    public void whenReadable(Runnable action) {
        if (isReadable()) {
            action.run();
            return;
        }
        barrier.await(action);
        worker.signal();
        if (stopped) {
            openBarrier();
        }
    }

    /** Every group before this lsn has been applied. */
    public long appliedLsn() {
        return appliedLsn;
    }

    /** Bytes of waiting commands, including those that are being rejected right now. */
    public long waitingBytes() {
        return heldBytes.get();
    }

    /** Wakes the log writer: a watermark of the log has moved. */
    public void signal() {
        worker.signal();
        if (stopped) {
            surroundings.hasRoom();
        }
    }

    /**
     * Rejects new commands and ends the thread.
     *
     * @throws IllegalStateException if it hangs
     */
    public void closeThread() {
        closing = true;
        worker.signal();
        worker.close();
    }

    /**
     * Rejects new commands, completes those in flight, and stops. After close, {@link #offer} rejects commands on the
     * caller's thread.
     */
    @Override
    public void close() {
        closeThread();
        log.closeSoon();
        // The log-writer thread has ended: this thread is the owner now.
        work();
        while (ended == null && !inFlight.isEmpty()) {
            forceLog();
            work();
        }
        stopped = true;
        refuseWaiting();
        openBarrier();
        surroundings.hasRoom();
    }

    private synchronized void openBarrier() {
        barrier.open();
    }

    private void forceLog() {
        try {
            log.force();
        } catch (IOException e) {
            ended = Outcome.UNKNOWN; // the log has latched the cause
        }
    }

    // ---- log-writer thread ----

    /** Whether groups are in flight and the disk has made none durable for a long time. */
    public boolean isStalled() {
        return !inFlight.isEmpty() && clock.elapsedMillis() - movedMillis > STALLED_MILLIS;
    }

    private void work() {
        try {
            boolean progress;
            do {
                progress = runErrands();
                progress |= withdrawRefused();
                progress |= notifyWritten();
                progress |= publishDurable();
                progress |= fill();
                progress |= appendFormed();
            } while (progress);
        } catch (Throwable e) {
            broken(e);
        }
        if (log.failure() != null) {
            ended = Outcome.UNKNOWN;
        }
        if (ended != null || closing) {
            refuseAll();
        }
        surroundings.applied();
        if (heldBytes.get() <= maxHeldBytes && commands.size() < commands.capacity()) {
            surroundings.hasRoom();
        }
        if (log.forceLeft()) {
            worker.signal();
        }
    }

    private void broken(Throwable cause) {
        ended = Outcome.UNKNOWN;
        surroundings.broken(cause);
    }

    private boolean runErrands() {
        boolean any = false;
        for (Runnable errand = errands.poll(); errand != null; errand = errands.poll()) {
            errand.run();
            any = true;
        }
        return any;
    }

    /** The disk was full when log-io wrote: rolls back the groups concerned, the last one first. */
    private boolean withdrawRefused() {
        if (!log.withdrawRefused()) {
            return false;
        }
        Deque<PendingGroup> refused = new ArrayDeque<>();
        if (assembly.forming() != null) {
            refused.push(assembly.take());
        }
        for (PendingGroup last = inFlight.peekLast();
                last != null && !last.group().isAppended();
                last = inFlight.peekLast()) {
            refused.push(inFlight.removeLast());
        }
        refused.descendingIterator().forEachRemaining(assembly::rollBack);
        refused.forEach(group -> settle(group, Outcome.DISK_FULL));
        shortages.refused("the log could not be written");
        return true;
    }

    private boolean notifyWritten() {
        boolean any = false;
        long writtenLsn = log.writtenLsn();
        for (PendingGroup group : inFlight) {
            if (!group.isWritten() && group.group().lsn() < writtenLsn) {
                if (group.isAcknowledgedEarly()) {
                    barrier.acknowledge(group.group().lsn());
                }
                group.written();
                shortages.written();
                any = true;
            }
        }
        return any;
    }

    private boolean publishDurable() {
        boolean any = false;
        long durableLsn = log.durableLsn();
        for (PendingGroup next = inFlight.peek();
                ended == null && next != null && next.group().lsn() < durableLsn;
                next = inFlight.peek()) {
            publish(next);
            any = true;
        }
        if (ended == null) {
            appliedLsn = durableLsn;
        }
        barrier.run(ended == null ? durableLsn : Long.MAX_VALUE);
        return any;
    }

    private void publish(PendingGroup group) {
        var body = group.group().body();
        tail.unreserve(group.reservedChunks());
        applier.apply(group.group().lsn(), group.group().timestamp(), body, body.position());
        inFlight.remove();
        movedMillis = clock.elapsedMillis();
        settle(group, Outcome.DURABLE);
        log.releaseGroup(group.group());
    }

    private void settle(PendingGroup group, Outcome outcome) {
        try {
            group.settle(outcome);
        } catch (Throwable e) {
            broken(e);
        }
    }

    private boolean fill() {
        boolean any = false;
        assembly.retryRoom();
        while (ended == null && !closing) {
            Command command = current != null ? current : commands.poll();
            if (command == null) {
                return any;
            }
            current = command; // so that it is settled if this fails
            attachedParts = command.appendedParts();
            long held = command.heldBytes();
            boolean whole = command.appendTo(assembly);
            if (whole || command.appendedParts() > attachedParts) {
                attach(command, attachedParts);
                attachedParts = command.appendedParts();
                any = true;
            }
            current = whole ? null : command;
            if (!whole) {
                any |= refuseIfDiskIsFull();
                return any;
            }
            heldBytes.getAndAdd(-held);
        }
        return any;
    }

    /** Without room in the tail, and without space on the disk to sweep it, the command would wait too long. */
    private boolean refuseIfDiskIsFull() {
        Command begun = current;
        boolean inVain = assembly.isFull() && assembly.isEmpty() && inFlight.isEmpty() && surroundings.isDiskFull();
        if (begun == null || !inVain) {
            return false;
        }
        shortages.refused("maintenance waits for space");
        refuseCurrent(Outcome.DISK_FULL);
        return true;
    }

    /**
     * Attaches new parts of the command to the latest group. Parts that were turned down wait for it too, because the
     * gate may have compared them with its batches. If there is no group, they are settled here.
     */
    private void attach(Command command, int from) {
        int to = command.appendedParts();
        PendingGroup last = inFlight.peekLast();
        if (!assembly.isEmpty()) {
            Objects.requireNonNull(assembly.forming()).add(command, from, to);
        } else if (last == null) {
            command.settle(from, to, Outcome.DURABLE);
        } else if (last.isWritten() && command.endsWhenWritten()) {
            barrier.acknowledge(last.group().lsn());
            command.written(from, to);
        } else {
            last.add(command, from, to);
        }
    }

    private boolean appendFormed() {
        if (assembly.isEmpty() || !isDue()) {
            return false;
        }
        PendingGroup group = assembly.take();
        group.group().timestamp(clock.stampMillis());
        group.group().doubt(clock.heldBackMillis());
        try {
            log.append(group.group());
        } catch (AppendException e) {
            if (e.reason() == AppendException.Reason.DISK_FULL) {
                shortages.refused(String.valueOf(e.getMessage()));
            }
            assembly.rollBack(group);
            group.settle(outcome(e));
            return true;
        }
        movedMillis = inFlight.isEmpty() ? clock.elapsedMillis() : movedMillis;
        inFlight.add(group);
        return true;
    }

    private boolean isDue() {
        int most = assembly.isFull() ? MAX_IN_FLIGHT : log.smallGroupsOnTheirWay();
        return inFlight.size() < most;
    }

    /** Settles everything that is open; when closing, except the groups in flight. */
    private void refuseAll() {
        if (ended != null) {
            for (PendingGroup group = inFlight.poll(); group != null; group = inFlight.poll()) {
                settle(group, ended);
            }
        }
        if (assembly.forming() != null && (ended != null || assembly.isEmpty())) {
            PendingGroup group = assembly.take();
            if (ended == null) {
                assembly.rollBack(group);
            }
            settle(group, Outcome.REFUSED);
        }
        refuseCurrent(Outcome.REFUSED);
        refuseWaiting();
    }

    private void refuseCurrent(Outcome outcome) {
        Command begun = current;
        current = null;
        if (begun == null) {
            return;
        }
        heldBytes.getAndAdd(-begun.heldBytes());
        try {
            begun.settleFrom(attachedParts, outcome);
        } catch (Throwable e) {
            broken(e);
        }
    }

    private synchronized void refuseWaiting() {
        for (Command command = commands.poll(); command != null; command = commands.poll()) {
            refuse(command);
        }
    }

    /** Runs on the log-writer thread or, after its end, on any thread. */
    private void refuse(Command command) {
        heldBytes.getAndAdd(-command.heldBytes());
        try {
            command.settleFrom(0, Outcome.REFUSED);
        } catch (Throwable e) {
            surroundings.broken(e);
        }
    }

    private static Outcome outcome(AppendException e) {
        return switch (e.reason()) {
            case DISK_FULL -> Outcome.DISK_FULL;
            case LOG_FAILED, CLOSED -> Outcome.REFUSED;
            case WRITE_FAILED -> Outcome.UNKNOWN;
        };
    }
}
