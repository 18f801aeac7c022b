package io.rivulet.engine;

import io.rivulet.cluster.bookkeeper.BookKeeperEngine;
import io.rivulet.cluster.engine.Engine;
import io.rivulet.store.faults.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/**
 * Rounds of faults under load. In each round the broker is killed and started again, or it is paused while another
 * process opens the log on a copy of the directory, and then goes on. Meanwhile a bookie may be killed, paused or
 * wiped.
 *
 * <p>Owned by: one thread.
 */
final class KillRounds implements AutoCloseable {
    /** What happens to the broker or to a bookie. */
    enum Fault {
        KILLED,
        REPLACED,
        BOOKIE_KILLED,
        BOOKIE_PAUSED,
        BOOKIE_WIPED,
        /** It ended by itself, because too few bookies answered. */
        STARTED_AGAIN
    }

    private static final int REPLACED_CODE = 76;
    private static final String DAMAGED = "shows the damage";
    private static final int PARTITIONS = 3;
    private static final String LOG = "rounds";
    private static final int REPLACED_ONE_IN = 4;
    private static final int ROUNDS_TO_A_REPLACEMENT = 6;
    private static final int BOOKIE_FAULT_ONE_IN = 3;
    private static final int CHECK_ALL_ONE_IN = 10;
    private static final int MOST_PROGRESS = 300;
    private static final int MOST_MILLIS = 300;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Path scratch;
    private final String bug;
    private final Random random;
    private final SmallCluster cluster;
    private final BookKeeperEngine engine;
    private final Map<Fault, Integer> faults = new EnumMap<>(Fault.class);
    private final Map<Integer, Integer> endCodes = new TreeMap<>();
    private final List<Violation> violations = new ArrayList<>();
    private final List<NumberedHistory> histories = IntStream.range(0, PARTITIONS)
            .mapToObj(number -> new NumberedHistory(new TopicPartition("numbers", number)))
            .toList();
    private Path data;
    private ClusterBroker owner;
    private NumberedLoad load;
    private int copies;
    private int rounds;
    private @Nullable Fault latest;

    /** @param bug of the log, for a broker that must be caught; empty for none */
    KillRounds(Path scratch, SmallCluster cluster, String bug, long seed) throws IOException {
        this.scratch = scratch;
        this.cluster = cluster;
        this.bug = bug;
        this.random = new Random(seed);
        this.engine = new BookKeeperEngine(cluster.registry(), LOG);
        this.data = scratch.resolve("data");
        this.owner = start(Ports.free()).awaitReady();
        this.load = NumberedLoad.start(owner.servers(), histories);
        awaitProgress(1);
    }

    private ClusterBroker start(int port) throws IOException {
        return ClusterBroker.start(scratch, data, port, cluster.registry() + "/" + LOG, bug);
    }

    /** Returns whether nothing is wrong so far. */
    boolean round() throws Exception {
        rounds++;
        awaitProgress(1 + random.nextInt(MOST_PROGRESS));
        int bookie = random.nextInt(SmallCluster.BOOKIES);
        Fault ofBookie = random.nextInt(BOOKIE_FAULT_ONE_IN) > 0 || !bug.isEmpty()
                ? null
                : random.nextBoolean() ? Fault.BOOKIE_KILLED : Fault.BOOKIE_PAUSED;
        if (ofBookie != null) {
            disturb(bookie, ofBookie);
        }
        pause();
        if (random.nextInt(REPLACED_ONE_IN) == 0 || rounds % ROUNDS_TO_A_REPLACEMENT == 0) {
            replace();
        } else {
            kill();
        }
        if (ofBookie != null) {
            mend(bookie, ofBookie);
        }
        awaitProgress(1);
        check(rounds % CHECK_ALL_ONE_IN == 0);
        return violations.isEmpty();
    }

    private void pause() {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(MOST_MILLIS)));
    }

    private void count(Fault fault) {
        latest = fault;
        faults.merge(fault, 1, Integer::sum);
    }

    private void kill() throws Exception {
        count(Fault.KILLED);
        owner.process().kill();
        int port = owner.port();
        owner.close();
        owner = start(port);
        awaitServes();
    }

    private void awaitServes() {
        Awaitility.await().atMost(PATIENCE).pollInterval(Duration.ofMillis(20)).until(() -> {
            superviseOwner();
            return owner.isReady() || !violations.isEmpty();
        });
    }

    /** Starts an owner again that ended by itself. If that makes no sense, it is a violation, and nothing waits. */
    private void superviseOwner() throws IOException, InterruptedException {
        if (owner.process().isAlive() || !violations.isEmpty()) {
            return;
        }
        int code = owner.process().awaitEnd();
        String said = owner.process().output();
        if (code == REPLACED_CODE || said.contains(DAMAGED)) {
            violations.add(new Violation(Violation.Kind.ENDED, "the owner ends with " + code + ": " + said));
            return;
        }
        count(Fault.STARTED_AGAIN);
        owner.close();
        owner = start(owner.port());
    }

    /**
     * The old owner goes on when another one has taken the log: just then, or when that one serves. Its own clients go
     * on to send, so it learns that it was replaced.
     */
    private void replace() throws Exception {
        count(Fault.REPLACED);
        ClusterBroker old = owner;
        NumberedLoad ofOld = load;
        old.process().pause();
        data = copy(data, scratch.resolve("copy" + copies++));
        int version = version();
        owner = start(Ports.free());
        boolean early = random.nextBoolean();
        if (early) {
            Awaitility.await()
                    .atMost(PATIENCE)
                    .pollInterval(Duration.ofMillis(5))
                    .until(() -> version() != version || !owner.process().isAlive());
            old.process().resume();
        }
        awaitServes();
        load = NumberedLoad.start(owner.servers(), histories);
        if (!early) {
            old.process().resume();
        }
        if (bug.isEmpty()) {
            int code = old.process().awaitEnd();
            endCodes.merge(code, 1, Integer::sum);
            if (code != REPLACED_CODE) {
                violations.add(new Violation(
                        Violation.Kind.ENDED,
                        "a replaced owner ends with " + code + ": "
                                + old.process().output()));
            }
        } else {
            awaitProgress(MOST_PROGRESS);
        }
        ofOld.close();
        old.close();
    }

    private int version() throws IOException {
        Engine.Versioned found = engine.load(LOG);
        return found == null ? Engine.NO_VERSION : found.version();
    }

    private void disturb(int bookie, Fault fault) throws Exception {
        count(fault);
        if (fault == Fault.BOOKIE_PAUSED) {
            cluster.bookie(bookie).pause();
        } else {
            cluster.bookie(bookie).kill();
        }
    }

    private void mend(int bookie, Fault fault) throws Exception {
        if (fault == Fault.BOOKIE_PAUSED) {
            cluster.bookie(bookie).resume();
        } else {
            cluster.restart(bookie);
            cluster.awaitReady(bookie);
        }
        cluster.awaitAll();
    }

    /** Its entries are copied from the others again before anything else happens. */
    void wipeABookie() throws Exception {
        count(Fault.BOOKIE_WIPED);
        int bookie = random.nextInt(SmallCluster.BOOKIES);
        String id = cluster.idOf(bookie);
        cluster.bookie(bookie).kill();
        cluster.wipe(bookie);
        kill();
        cluster.restart(bookie);
        cluster.awaitReady(bookie);
        awaitProgress(1);
        cluster.awaitCopiesWithout(id);
        check(true);
    }

    /** Waits until so many more records are acknowledged, and one of each partition. */
    private void awaitProgress(int more) {
        Progress progress = new Progress(histories);
        Awaitility.await().atMost(PATIENCE).pollInterval(Duration.ofMillis(2)).until(() -> {
            superviseOwner();
            return progress.isAtLeast(more) || !violations.isEmpty();
        });
    }

    private void check(boolean all) {
        if (!violations.isEmpty()) {
            return;
        }
        histories.forEach(history -> violations.addAll(history.check(owner.servers(), all)));
    }

    private static Path copy(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path path : (Iterable<Path>) all::iterator) {
                Files.copy(path, to.resolve(from.relativize(path).toString()));
            }
        }
        return to;
    }

    List<Violation> violations() {
        return violations;
    }

    @Nullable
    Fault latest() {
        return latest;
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
        return rounds + " rounds, " + faults + ", exit codes of replaced owners " + endCodes + ", " + acknowledged
                + " acknowledged";
    }

    @Override
    public void close() throws IOException {
        load.close();
        owner.close();
        engine.close();
    }
}
