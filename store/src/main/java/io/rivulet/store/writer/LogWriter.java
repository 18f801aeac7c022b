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
 * Orders everything: fills a group from the queue of commands, has the log append it while the group before it is being forced,
 * and when a group is durable applies it and completes its commands.
 *
 * <p>There is no linger timer: a group is appended when no other is on its way, or when it is full, or right behind a small one that
 * is written and was not forced yet: one force is then for both. What arrives while a force is in flight thus forms the next group.
 *
 * <p>Owned by: log-writer thread, but for {@link #offer}, {@link #execute}, {@link #appliedLsn}, {@link #signal} and {@link #close}.
 */
public final class LogWriter implements AutoCloseable {
    /** What the log writer asks of its surroundings. */
    public interface Surroundings {
        /** Entries were applied, or found no room in the tail: somebody may have to sweep. Told often. Must not block. */
        void applied();

        /** There may be room for commands that were refused; told often. Must not block. */
        void hasRoom();

        /** Whether what makes room in the tail waits for space on the disk. */
        boolean isDiskFull();

        /** A bug, or state that contradicts itself. Nothing is written any more. */
        void broken(Throwable cause);
    }

    private static final int ERRANDS_AT_ONCE = 64;

    /** A disk of 1 MB/s writes the largest group in half of it. */
    private static final long STALLED_MILLIS = 10_000;

    /** Full groups that may be on their way to the disk: one is written, some wait for that, some are forced. Two of the twelve are left to form the next. */
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
    /** The log writer's thread has ended: whoever comes is the consumer of {@link #commands}, one at a time. */
    private volatile boolean stopped;

    private volatile long appliedLsn;

    private final Deque<PendingGroup> inFlight = new ArrayDeque<>();
    /** When the first group that is on its way came to be the first. */
    private long movedMillis;

    private @Nullable Command current;
    /** So many of its parts are known to the group that carries them. */
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

    /** Takes the command; false when too many, or too many bytes, are waiting: try again after {@link Surroundings#hasRoom}. */
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

    /** Runs something on the log-writer thread, soon; it must be short. For the few errands of the background thread. */
    public void execute(Runnable errand) {
        errands.offer(errand);
        worker.signal();
    }

    /** Every group before this lsn has been applied. */
    public long appliedLsn() {
        return appliedLsn;
    }

    /** Bytes of commands that wait, those that were just turned away included. */
    public long waitingBytes() {
        return heldBytes.get();
    }

    /** Has the log writer look around: a watermark of the log has moved. */
    public void signal() {
        worker.signal();
        if (stopped) {
            surroundings.hasRoom();
        }
    }

    /**
     * Refuses what comes, and ends the thread.
     *
     * @throws IllegalStateException when it hangs
     */
    public void closeThread() {
        closing = true;
        worker.signal();
        worker.close();
    }

    /** Refuses what comes, ends what is on its way, and stops. What is offered later is refused by whoever offers it. */
    @Override
    public void close() {
        closeThread();
        // The log writer's thread has ended: from here on this one is the owner.
        work();
        while (ended == null && !inFlight.isEmpty()) {
            forceLog();
            work();
        }
        stopped = true;
        refuseWaiting();
        surroundings.hasRoom();
    }

    private void forceLog() {
        try {
            log.force();
        } catch (IOException e) {
            ended = Outcome.UNKNOWN; // the log has latched the cause
        }
    }

    // ---- log-writer thread ----

    /** Whether the disk has not made anything durable for long, though something is on its way. */
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

    /** The disk turned out to be full behind our back: takes back what was laid into the groups concerned, the last one first. */
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
        return true;
    }

    private boolean notifyWritten() {
        boolean any = false;
        long writtenLsn = log.writtenLsn();
        for (PendingGroup group : inFlight) {
            if (!group.isWritten() && group.group().lsn() < writtenLsn) {
                group.written();
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
            current = command; // so it is answered, should this go wrong
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

    /** With no room in the tail, and no space on the disk to sweep it to, the command would wait for who knows how long. */
    private boolean refuseIfDiskIsFull() {
        Command begun = current;
        boolean inVain = assembly.isFull() && assembly.isEmpty() && inFlight.isEmpty() && surroundings.isDiskFull();
        if (begun == null || !inVain) {
            return false;
        }
        refuseCurrent(Outcome.DISK_FULL);
        return true;
    }

    /**
     * Ties the command to the last group that there is. What was turned down waits for it too, for it may have been compared with
     * what lies there, and ends here if there is none.
     */
    private void attach(Command command, int from) {
        int to = command.appendedParts();
        PendingGroup last = inFlight.peekLast();
        if (!assembly.isEmpty()) {
            Objects.requireNonNull(assembly.forming()).add(command, from, to);
        } else if (last == null) {
            command.settle(from, to, Outcome.DURABLE);
        } else if (!last.isWritten() || !command.written(from, to)) {
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
            assembly.rollBack(group);
            group.settle(outcome(e));
            return true;
        }
        movedMillis = inFlight.isEmpty() ? clock.elapsedMillis() : movedMillis;
        inFlight.add(group);
        return true;
    }

    private boolean isDue() {
        return switch (inFlight.size()) {
            case 0 -> true;
            case 1 -> assembly.isFull() || log.isForceLeft();
            default -> assembly.isFull() && inFlight.size() < MAX_IN_FLIGHT;
        };
    }

    /** Ends everything that has not come to its end; in closing, not what is on its way to the disk. */
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

    /** Who waits is told, by the log writer's thread or, after its end, by any. */
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
