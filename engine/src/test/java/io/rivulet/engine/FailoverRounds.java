package io.rivulet.engine;

import static java.util.Objects.requireNonNull;

import io.rivulet.store.faults.Ports;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.TopicPartition;
import org.awaitility.Awaitility;

/**
 * Rounds of faults under load, for brokers that own a log by turns. In each round something happens to the owner or to
 * all of them; then the load must go on, and nothing may be lost.
 *
 * <p>Owned by: one thread.
 */
final class FailoverRounds implements AutoCloseable {
    enum Fault {
        OWNER_KILLED,
        /** Until another broker has taken over; then it goes on. */
        OWNER_PAUSED,
        OWNER_STOPPED,
        FOLLOWER_KILLED,
        ALL_KILLED
    }

    private static final int BROKERS = 3;
    private static final int PARTITIONS = 3;
    private static final int CHECK_ALL_ONE_IN = 10;
    private static final int MOST_PROGRESS = 300;
    private static final int MOST_MILLIS = 300;
    private static final int ASK_MILLIS = 3_000;
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final Path scratch;
    private final String log;
    private final Random random;
    private final int[] ports = new int[BROKERS];
    private final ClusterBroker[] brokers = new ClusterBroker[BROKERS];
    /** For each fault, the milliseconds until each partition had an acknowledgement again. */
    private final Map<Fault, List<Long>> stalls = new EnumMap<>(Fault.class);

    private final List<Violation> violations = new ArrayList<>();
    private final List<NumberedHistory> histories = IntStream.range(0, PARTITIONS)
            .mapToObj(number -> new NumberedHistory(new TopicPartition("numbers", number)))
            .toList();
    private final NumberedLoad load;
    private int rounds;

    FailoverRounds(Path scratch, SmallCluster cluster, long seed) throws IOException {
        this.scratch = scratch;
        this.log = cluster.registry() + "/failover-" + seed;
        this.random = new Random(seed);
        for (int i = 0; i < BROKERS; i++) {
            ports[i] = Ports.free();
            start(i);
        }
        load = NumberedLoad.start(servers(), histories);
        awaitProgress(1);
    }

    private void start(int broker) throws IOException {
        brokers[broker] = ClusterBroker.start(scratch, broker + 1, ports[broker], log);
    }

    private String servers() {
        return IntStream.of(ports).mapToObj(port -> "localhost:" + port).collect(Collectors.joining(","));
    }

    /** Returns whether nothing is wrong so far. */
    boolean round() throws Exception {
        rounds++;
        awaitProgress(1 + random.nextInt(MOST_PROGRESS));
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(MOST_MILLIS)));
        Fault fault = Fault.values()[random.nextInt(Fault.values().length)];
        int owner = owner();
        switch (fault) {
            case OWNER_KILLED -> killAndRestart(owner, fault);
            case FOLLOWER_KILLED -> killAndRestart((owner + 1 + random.nextInt(BROKERS - 1)) % BROKERS, fault);
            case OWNER_PAUSED -> pause(owner);
            case OWNER_STOPPED -> stopAndRestart(owner);
            case ALL_KILLED -> killAll();
            default -> throw new IllegalStateException("a fault without an action: " + fault);
        }
        requireAllLive();
        check(rounds % CHECK_ALL_ONE_IN == 0);
        return violations.isEmpty();
    }

    /** Which broker owns the log, as clients see it. */
    private int owner() {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers()))) {
            return Awaitility.await().atMost(PATIENCE).until(() -> owner(admin), id -> id >= 0);
        }
    }

    private static int owner(Admin admin) throws InterruptedException {
        try {
            return requireNonNull(admin.describeCluster().controller().get(ASK_MILLIS, TimeUnit.MILLISECONDS))
                            .id()
                    - 1;
        } catch (ExecutionException | TimeoutException e) {
            return -1;
        }
    }

    private void killAndRestart(int broker, Fault fault) throws Exception {
        long startNanos = System.nanoTime();
        brokers[broker].process().kill();
        boolean early = random.nextBoolean();
        if (early) {
            restart(broker);
        }
        awaitProgress(1);
        stalled(fault, startNanos);
        if (!early) {
            restart(broker);
        }
    }

    private void restart(int broker) throws IOException {
        brokers[broker].close();
        start(broker);
    }

    private void pause(int owner) throws Exception {
        long startNanos = System.nanoTime();
        brokers[owner].process().pause();
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", others(owner)))) {
            Awaitility.await().atMost(PATIENCE).until(() -> {
                int now = owner(admin);
                return now >= 0 && now != owner;
            });
        }
        boolean early = random.nextBoolean();
        if (early) {
            brokers[owner].process().resume();
        }
        awaitProgress(1);
        stalled(Fault.OWNER_PAUSED, startNanos);
        if (!early) {
            brokers[owner].process().resume();
        }
        awaitProgress(MOST_PROGRESS);
    }

    private String others(int broker) {
        return IntStream.range(0, BROKERS)
                .filter(i -> i != broker)
                .mapToObj(i -> "localhost:" + ports[i])
                .collect(Collectors.joining(","));
    }

    private void stopAndRestart(int owner) throws Exception {
        long startNanos = System.nanoTime();
        brokers[owner].process().terminate();
        int code = brokers[owner].process().awaitEnd();
        if (code != 0) {
            violations.add(new Violation(
                    Violation.Kind.ENDED,
                    "an owner that was stopped ends with " + code + ": "
                            + brokers[owner].process().output()));
        }
        awaitProgress(1);
        stalled(Fault.OWNER_STOPPED, startNanos);
        restart(owner);
    }

    private void killAll() throws Exception {
        long startNanos = System.nanoTime();
        for (ClusterBroker broker : brokers) {
            broker.process().kill();
        }
        for (int i = 0; i < BROKERS; i++) {
            restart(i);
        }
        awaitProgress(1);
        stalled(Fault.ALL_KILLED, startNanos);
    }

    private void stalled(Fault fault, long startNanos) {
        stalls.computeIfAbsent(fault, any -> new ArrayList<>())
                .add(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos));
    }

    private void requireAllLive() {
        for (ClusterBroker broker : brokers) {
            if (!broker.process().isAlive()) {
                violations.add(new Violation(
                        Violation.Kind.ENDED,
                        "a broker has ended: " + broker.process().output()));
            }
        }
    }

    /** Waits until so many more records are acknowledged, and one of each partition. */
    private void awaitProgress(int more) {
        Progress progress = new Progress(histories);
        Awaitility.await().atMost(PATIENCE).pollInterval(Duration.ofMillis(2)).until(() -> progress.isAtLeast(more));
    }

    private void check(boolean all) {
        if (violations.isEmpty()) {
            histories.forEach(history -> violations.addAll(history.check(servers(), all)));
        }
    }

    /** Ends the load and reads everything once more. */
    List<Violation> finish() {
        load.close();
        check(true);
        return violations;
    }

    /** One line with figures. */
    String figures() {
        long acknowledged =
                histories.stream().mapToLong(NumberedHistory::acknowledgedCount).sum();
        return rounds + " rounds, " + acknowledged + " acknowledged; milliseconds until each partition went on: "
                + stalls;
    }

    @Override
    public void close() {
        load.close();
        for (ClusterBroker broker : brokers) {
            broker.close();
        }
    }
}
