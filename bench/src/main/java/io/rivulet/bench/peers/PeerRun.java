package io.rivulet.bench.peers;

import io.rivulet.bench.lab.Await;
import io.rivulet.bench.lab.BrokerFailedException;
import io.rivulet.bench.lab.Daemon;
import io.rivulet.bench.lab.Lab;
import io.rivulet.bench.lab.ProcFs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * One server and one number of queues: start it, fill its queues, measure, kill it under load, start it again, count.
 * Owned by: the command's thread.
 */
final class PeerRun {
    private static final long READY_SECONDS = 300;
    private static final long ALL_BACK_SECONDS = 60;
    private static final long BETWEEN_PROBES_MILLIS = 5;
    private static final long WATCH_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double MICROS_PER_SECOND = 1e6;

    private final Peer peer;
    private final PeerShape shape;
    private final PeerPlan plan;
    private final Daemon daemon;
    private final int port;
    private final Map<PeerMetric, Double> figures = new EnumMap<>(PeerMetric.class);

    private PeerRun(Peer peer, PeerShape shape, PeerPlan plan, Daemon daemon, int port) {
        this.peer = peer;
        this.shape = shape;
        this.plan = plan;
        this.daemon = daemon;
        this.port = port;
    }

    /** @param directory parent of the server's directory, which is deleted at the end */
    static Map<PeerMetric, Double> run(Peer peer, Lab lab, Path directory, int queues, PeerPlan plan)
            throws IOException, BrokerFailedException {
        Path home = Files.createTempDirectory(directory, peer.name() + "-");
        int port = Lab.freePort();
        try (Daemon daemon = new Daemon(lab, peer.command(home, port), home)) {
            return new PeerRun(peer, new PeerShape(queues, plan.window()), plan, daemon, port).run();
        }
    }

    private Map<PeerMetric, Double> run() throws IOException, BrokerFailedException {
        long startNanos = System.nanoTime();
        daemon.start();
        await(PeerConnection::create);
        set(PeerMetric.READY_SECONDS, secondsSince(startNanos));
        PeerLoad load = new PeerLoad(peer.connect(port, shape), shape);
        load.start();
        try {
            fill(load);
            measure(load);
        } finally {
            daemon.kill();
            load.end();
        }
        set(PeerMetric.ACKNOWLEDGED, (double) load.messages());
        long restartNanos = System.nanoTime();
        daemon.start();
        await(PeerRun::writeOne);
        set(PeerMetric.RESTART_SECONDS, secondsSince(restartNanos));
        set(PeerMetric.MISSING, missing(load));
        return figures;
    }

    /** A step that fails as long as the server is not ready. */
    @FunctionalInterface
    private interface Step {
        void run(PeerConnection connection) throws IOException, BrokerFailedException;
    }

    /** Tries the step again and again, each time on a new connection. */
    private void await(Step step) throws IOException, BrokerFailedException {
        String[] last = {"no connection"};
        Await.until(() -> succeeds(step, last), READY_SECONDS, BETWEEN_PROBES_MILLIS, () -> "not ready: " + last[0]);
    }

    private boolean succeeds(Step step, String[] last) throws BrokerFailedException, IOException {
        if (!daemon.isAlive()) {
            throw new BrokerFailedException("ends: " + daemon.complaint());
        }
        try (PeerConnection connection = peer.connect(port, shape)) {
            step.run(connection);
            return true;
        } catch (IOException | BrokerFailedException e) {
            last[0] = String.valueOf(e.getMessage());
            return false;
        }
    }

    /** Has a message acknowledged. */
    private static void writeOne(PeerConnection connection) throws IOException, BrokerFailedException {
        connection.exchange(1, 1, connection::encode, (number, unused) -> {});
    }

    /** Until each queue has a message and the warm-up is over, or for the longest time. */
    private void fill(PeerLoad load) throws IOException, BrokerFailedException {
        long startNanos = System.nanoTime();
        watch(load, plan.fillSeconds(), () -> load.reached() == shape.queues());
        if (load.reached() == shape.queues()) {
            double seconds = secondsSince(startNanos);
            set(PeerMetric.FILL_SECONDS, seconds);
            watch(load, plan.warmUpSeconds() - seconds, () -> false);
        }
        set(PeerMetric.REACHED, (double) load.reached());
    }

    private void measure(PeerLoad load) throws IOException, BrokerFailedException {
        long messages = load.messages();
        double busy = ProcFs.busySeconds();
        double ownCpu = ProcFs.cpuSeconds(ProcessHandle.current().pid());
        double cpu = daemon.cpuSeconds();
        long startNanos = System.nanoTime();
        watch(load, plan.seconds(), () -> false);
        double seconds = secondsSince(startNanos);
        long written = load.messages() - messages;
        double used = daemon.cpuSeconds() - cpu;
        double own = ProcFs.cpuSeconds(ProcessHandle.current().pid()) - ownCpu;
        double others = Math.max(0, ProcFs.busySeconds() - busy - used - own);
        set(PeerMetric.MESSAGES_PER_SECOND, written / seconds);
        set(PeerMetric.CPU_MICROS, used * MICROS_PER_SECOND / Math.max(1, written));
        set(PeerMetric.RSS_MIB, daemon.residentMib());
        set(PeerMetric.ANONYMOUS_MIB, daemon.anonymousMib());
        set(
                PeerMetric.OTHERS_PERCENT,
                100 * others / seconds / Runtime.getRuntime().availableProcessors());
    }

    private void watch(PeerLoad load, double seconds, BooleanSupplier done) throws IOException, BrokerFailedException {
        long startNanos = System.nanoTime();
        while (secondsSince(startNanos) < seconds && !done.getAsBoolean()) {
            String failure = load.failure();
            if (!daemon.isAlive() || failure != null) {
                throw failed(load, failure + ", " + daemon.complaint());
            }
            double anonymous = daemon.anonymousMib();
            if (anonymous > plan.memoryMib()) {
                throw failed(
                        load, "needs %,.0f MiB of memory, the limit is %,d".formatted(anonymous, plan.memoryMib()));
            }
            LockSupport.parkNanos(WATCH_NANOS);
        }
    }

    private BrokerFailedException failed(PeerLoad load, String why) {
        return new BrokerFailedException(
                "after %,d messages in %,d queues: %s".formatted(load.messages(), load.reached(), why));
    }

    /** Acknowledged messages that are not there. A server may need some time until it has found all of them. */
    private double missing(PeerLoad load) throws IOException, BrokerFailedException {
        long[] missing = {Long.MAX_VALUE};
        long startNanos = System.nanoTime();
        while (missing[0] > 0 && secondsSince(startNanos) < ALL_BACK_SECONDS) {
            await(connection -> missing[0] = missing(connection, load));
            LockSupport.parkNanos(WATCH_NANOS);
        }
        return missing[0];
    }

    private long missing(PeerConnection connection, PeerLoad load) throws IOException, BrokerFailedException {
        long[] found = new long[shape.queues()];
        connection.count((queue, messages) -> found[(int) queue] = messages);
        long missing = 0;
        for (int queue = 0; queue < found.length; queue++) {
            missing += Math.max(0, load.acknowledged(queue) - found[queue]);
        }
        return missing;
    }

    private void set(PeerMetric metric, double value) {
        figures.put(metric, value);
    }

    private static double secondsSince(long startNanos) {
        return (System.nanoTime() - startNanos) / NANOS_PER_SECOND;
    }
}
