package io.rivulet.cluster.ledger;

import io.rivulet.cluster.fake.FakeClient;
import io.rivulet.cluster.fake.FakeEngine;
import io.rivulet.cluster.fake.SteppedWorkers;
import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.io.Disk;
import io.rivulet.store.log.AppendException;
import io.rivulet.store.log.CommitLog;
import io.rivulet.store.log.LogConfig;
import io.rivulet.store.log.LogFixture;
import io.rivulet.store.log.LogGroup;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;

/** A process that has the log open: it appends groups with numbers, and remembers which are acknowledged. */
final class SimulatedOwner {
    /** A group that was appended and not refused. */
    record Appended(long number, long lsn, long endLsn) {}

    private static final LogConfig CONFIG = LogConfig.DEFAULT.withGroups(4, 4 << 20);
    private static final int[] SIZES = {60, 700, 3000, 9000};
    /** One group in so many has more than one entry. */
    private static final int LARGE_ONE_IN = 25;

    private static final int LARGE_BYTES = 1_100_000;

    private final SplittableRandom random;
    private final FakeClient client;
    private final SteppedWorkers workers;
    private final CommitLog log;
    private final Deque<LogGroup> onTheirWay = new ArrayDeque<>();
    private final List<Appended> appended = new ArrayList<>();
    private int acknowledged;

    SimulatedOwner(
            FakeEngine engine, Disk disk, LedgerLogConfig config, UnaryOperator<CommitLog> bug, SplittableRandom random)
            throws IOException {
        this.random = random;
        this.client = engine.client();
        this.workers = new SteppedWorkers(random.nextLong());
        client.otherWork(workers::runOne);
        this.log = bug.apply(
                new LedgerLogLocation(client, "log", disk, config).open(CONFIG, () -> {}, workers, new FailureLatch()));
    }

    CommitLog log() {
        return log;
    }

    FakeClient client() {
        return client;
    }

    void begin() throws IOException {
        log.begin();
    }

    /** In the order of the log. */
    List<Appended> appended() {
        return appended;
    }

    /** How many of them are acknowledged. */
    int acknowledged() {
        return acknowledged;
    }

    boolean hasFailed() {
        return log.failure() != null;
    }

    /** @return whether the number was used */
    boolean append(long number) {
        LogGroup group = log.acquireGroup();
        if (group == null) {
            return false;
        }
        LogFixture.fill(group, number, sizeBytes());
        try {
            long lsn = log.append(group);
            appended.add(new Appended(number, lsn, lsn + GroupWalk.entries(group.paddedLength())));
            onTheirWay.add(group);
            return true;
        } catch (AppendException e) {
            log.releaseGroup(group);
            return false;
        }
    }

    private int sizeBytes() {
        return random.nextInt(LARGE_ONE_IN) == 0 ? LARGE_BYTES : SIZES[random.nextInt(SIZES.length)];
    }

    boolean work() {
        return workers.runOne();
    }

    /** Releases what is acknowledged, and forgets what was refused. */
    void settle() {
        log.withdrawRefused();
        while (!onTheirWay.isEmpty() && !onTheirWay.getLast().isAppended()) {
            log.releaseGroup(onTheirWay.removeLast());
            appended.remove(appended.size() - 1);
        }
        while (!onTheirWay.isEmpty() && onTheirWay.getFirst().lsn() < log.durableLsn()) {
            log.releaseGroup(onTheirWay.removeFirst());
            acknowledged++;
        }
    }

    void check() throws IOException {
        log.check();
    }

    void finish() throws IOException {
        log.force();
        settle();
        log.close();
    }

    void die() {
        client.die();
    }
}
