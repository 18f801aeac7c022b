package io.rivulet.store.simulation;

import io.rivulet.store.thread.Workers;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;

/**
 * Runs all work of a store on one thread, in an order that follows from a seed. Signalled work runs when the test calls
 * it, or while other work does I/O, as with threads: see {@link #duringIo}. Work never overlaps with itself, nor with
 * work that it would wait for.
 */
public final class SimulatedWorkers implements Workers {
    private static final String WRITER = "log-writer";
    private static final String WRITE = "log-io";
    private static final String FORCE = "log-force";
    private static final String SEGMENTS = "log-segments";
    private static final String MAINTENANCE = "maintenance";

    private final SplittableRandom random;
    private final int overlapOneIn;
    private final List<SimulatedWorker> workers = new ArrayList<>();
    private final Deque<String> running = new ArrayDeque<>();
    private Runnable client = () -> {};
    private BooleanSupplier messages = () -> false;
    private boolean logIsElsewhere;

    /** @param overlapOneIn one in this many I/Os overlaps with other work; 0 for none */
    public SimulatedWorkers(long seed, int overlapOneIn) {
        this.random = new SplittableRandom(seed);
        this.overlapOneIn = overlapOneIn;
    }

    /**
     * The log is on other machines. It delivers messages while it waits for an answer, so nothing runs because somebody
     * may wait for it.
     *
     * @param messagesOfOthers delivers one message; false if none is on its way
     */
    public SimulatedWorkers withLogElsewhere(BooleanSupplier messagesOfOthers) {
        messages = messagesOfOthers;
        logIsElsewhere = true;
        return this;
    }

    /** What else may happen while work does I/O. */
    public void client(Runnable action) {
        client = action;
    }

    @Override
    public Worker start(String name, Runnable work) {
        SimulatedWorker worker = new SimulatedWorker(name, work);
        workers.add(worker);
        return worker;
    }

    /** Runs one piece of signalled work, or delivers a message; false if there is none. */
    public boolean runOne() {
        List<SimulatedWorker> pending =
                workers.stream().filter(SimulatedWorker::isReady).toList();
        if (logIsElsewhere && (pending.isEmpty() || random.nextInt(3) == 0) && messages.getAsBoolean()) {
            return true;
        }
        if (pending.isEmpty()) {
            return false;
        }
        pending.get(random.nextInt(pending.size())).run();
        return true;
    }

    /** Runs until nothing is signalled any more. */
    public void runAll() {
        for (int i = 0; runOne(); i++) {
            Invariant.NOTHING_FORGOTTEN.require(i < 100_000, "the workers signal each other for ever");
        }
    }

    /** Called during an I/O: sometimes runs other work. */
    public void duringIo() {
        if (overlapOneIn > 0 && random.nextInt(overlapOneIn) == 0) {
            if (running.isEmpty() || running.contains(SEGMENTS)) {
                return;
            }
            if (random.nextInt(3) == 0) {
                runClient();
            } else {
                runOne();
            }
        }
    }

    /** Called while another machine is asked, perhaps with a lock of the log: runs only what takes none. */
    public void duringCall() {
        if (overlapOneIn == 0 || random.nextInt(overlapOneIn) > 0) {
            return;
        }
        if (random.nextBoolean()) {
            runClient();
        } else {
            workers.stream()
                    .filter(worker -> worker.name.equals(WRITER) && worker.isReady())
                    .findFirst()
                    .ifPresent(SimulatedWorker::run);
        }
    }

    private void runClient() {
        if (!running.contains("client")) {
            running.push("client");
            client.run();
            running.pop();
        }
    }

    /** Runs the action as a separate thread: other work may run during its I/O. */
    public void asClient(Runnable action) {
        running.push("client");
        try {
            action.run();
        } finally {
            running.pop();
        }
    }

    private final class SimulatedWorker implements Worker {
        private final String name;
        private final Runnable work;
        private boolean pending;
        private boolean closed;

        SimulatedWorker(String name, Runnable work) {
            this.name = name;
            this.work = work;
        }

        @Override
        public void signal() {
            pending = true;
            if (!logIsElsewhere && isAwaited() && !closed && !running.contains(name)) {
                run();
            }
        }

        /**
         * Whether the signaller may wait for this worker. Threads that write to the log never wait for a write or a
         * force.
         */
        private boolean isAwaited() {
            String signaller = running.peek();
            boolean writes = WRITER.equals(signaller) || WRITE.equals(signaller);
            return name.equals(SEGMENTS) || ((name.equals(WRITE) || name.equals(FORCE)) && !writes);
        }

        /** Maintenance waits for writes and forces, so it does not start during one. */
        boolean isReady() {
            boolean wouldWait = name.equals(MAINTENANCE) && (running.contains(WRITE) || running.contains(FORCE));
            return pending && !closed && !running.contains(name) && !wouldWait;
        }

        void run() {
            pending = false;
            running.push(name);
            try {
                work.run();
            } finally {
                running.pop();
            }
        }

        @Override
        public void close() {
            if (pending && !closed) {
                run();
            }
            closed = true;
        }
    }
}
