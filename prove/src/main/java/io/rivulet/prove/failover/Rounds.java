package io.rivulet.prove.failover;

import io.rivulet.prove.history.History;
import io.rivulet.prove.history.HistoryLoad;
import io.rivulet.prove.load.MixedLoad;
import io.rivulet.prove.load.Target;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Rounds of faults under load, with one cluster. After each round the load must go on; at the end everything is read
 * back and judged.
 *
 * <p>Owned by: one thread.
 */
final class Rounds implements AutoCloseable {
    @FunctionalInterface
    private interface Step {
        void run() throws Exception;
    }

    private static final List<Integer> STOPPED = List.of(0);
    /** It may wait for the bookie for longer than a stop may take. */
    private static final List<Integer> STOPPED_WITHOUT_A_BOOKIE = List.of(0, 75);

    private static final int MOST_PROGRESS = 100;
    private static final int MOST_MILLIS = 300;

    private final Random random;
    private final Engines engines;
    private final Brokers brokers;
    private final OldOwner oldOwner = new OldOwner();
    private final Stalls stalls = new Stalls();
    /** Writes records, transactions, offsets and keys, and must go on after each round. */
    private final MixedLoad writers;

    private final MixedLoad loads;
    private final List<String> violations = new ArrayList<>();
    /** A second one would take the last copy of what is not copied again yet. */
    private boolean wasWiped;

    Rounds(Path scratch, long seed, Bug bug) throws Exception {
        this.random = new Random(seed);
        this.engines = new Engines(scratch.resolve("engines"));
        this.brokers = start(scratch, bug);
        Target target = brokers.target();
        try {
            this.writers = MixedLoad.start(target, seed);
            this.loads = MixedLoad.of(writers, HistoryLoad.start(target, seed, new History()));
        } catch (Exception e) {
            brokers.close();
            engines.close();
            throw e;
        }
        require(loads, 1);
    }

    private Brokers start(Path scratch, Bug bug) throws IOException {
        try {
            return new Brokers(scratch, engines.registry() + "/failover", bug);
        } catch (IOException | RuntimeException e) {
            engines.close();
            throw e;
        }
    }

    boolean isSound() {
        return violations.isEmpty();
    }

    void round(Fault fault) throws Exception {
        require(writers, 1 + random.nextInt(MOST_PROGRESS));
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(MOST_MILLIS)));
        int owner = brokers.awaitOwner();
        long startNanos = System.nanoTime();
        switch (fault) {
            case OWNER_KILLED -> kill(owner);
            case FOLLOWER_KILLED -> kill((owner + 1 + random.nextInt(Brokers.COUNT - 1)) % Brokers.COUNT);
            case OWNER_PAUSED -> pause(owner);
            case OWNER_STOPPED -> stop(owner, STOPPED);
            case BOOKIE_LOST -> loseBookie(() -> stopOrGoOn(owner));
            case BOOKIE_LOST_AND_OWNER_KILLED -> loseBookie(() -> kill(owner));
            case BOOKIE_LOST_AND_OWNER_PAUSED -> loseBookie(() -> pause(owner));
            case ALL_KILLED -> killAll();
            default -> throw new IllegalStateException("a fault without an action: " + fault);
        }
        require(writers, 1);
        stalls.add(fault, System.nanoTime() - startNanos);
        complain(brokers.complaint());
        complain(engines.complaint());
    }

    private void complain(String what) {
        if (!what.isEmpty()) {
            violations.add(what);
        }
    }

    private void require(MixedLoad load, int progress) {
        String wrong = load.awaitProgress(progress, () -> false);
        if (wrong != null) {
            violations.add(wrong + "; the brokers say: " + brokers.said());
        }
    }

    private void kill(int broker) throws Exception {
        brokers.process(broker).kill();
        boolean isEarly = random.nextBoolean();
        if (isEarly) {
            brokers.restart(broker);
        } else {
            require(writers, 1);
            brokers.restart(broker);
        }
        brokers.awaitReady(broker);
    }

    private void pause(int owner) throws Exception {
        try (OldOwner.Questions questions = oldOwner.connect(brokers.port(owner))) {
            brokers.process(owner).pause();
            int next = brokers.awaitOwnerOtherThan(owner);
            questions.ask(brokers.port(next));
            // No longer: a client of Kafka whose owner is silent tries it again and again, and asks nobody else.
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(MOST_MILLIS)));
            brokers.process(owner).resume();
            questions.judge();
            violations.addAll(oldOwner.violations(brokers.target()));
        }
    }

    /** @param codes with which it may end */
    private void stop(int owner, List<Integer> codes) throws Exception {
        brokers.process(owner).terminate();
        int code = brokers.process(owner).awaitEnd();
        if (!codes.contains(code)) {
            violations.add("an owner that was stopped ends with " + code + ": "
                    + brokers.process(owner).err());
        }
        brokers.restart(owner);
        brokers.awaitReady(owner);
    }

    private void loseBookie(Step meanwhile) throws Exception {
        engines.awaitReady(); // those of the rounds before
        int bookie = random.nextInt(Engines.BOOKIES);
        boolean isPaused = random.nextInt(3) == 0;
        if (isPaused) {
            engines.bookie(bookie).pause();
        } else {
            engines.bookie(bookie).kill();
        }
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(MOST_MILLIS)));
        meanwhile.run();
        if (isPaused) {
            engines.bookie(bookie).resume();
            return;
        }
        if (!wasWiped && random.nextBoolean()) {
            wasWiped = true;
            engines.wipe(bookie);
        }
        engines.restart(bookie);
    }

    private void stopOrGoOn(int owner) throws Exception {
        if (random.nextBoolean()) {
            stop(owner, STOPPED_WITHOUT_A_BOOKIE);
        } else {
            require(writers, 1);
        }
    }

    /** In any order. */
    private void killAll() throws Exception {
        boolean isEnginesFirst = random.nextBoolean();
        if (isEnginesFirst) {
            engines.kill();
        }
        for (int i = 0; i < Brokers.COUNT; i++) {
            brokers.process(i).kill();
        }
        if (!isEnginesFirst) {
            engines.kill();
        }
        engines.restart();
        for (int i = 0; i < Brokers.COUNT; i++) {
            brokers.restart(i);
        }
        for (int i = 0; i < Brokers.COUNT; i++) {
            brokers.awaitReady(i);
        }
    }

    /** Ends the load, reads everything back, and returns what is wrong. */
    List<String> finish() throws Exception {
        if (isSound()) {
            require(loads, 1);
            engines.awaitReady();
        }
        if (isSound()) {
            violations.addAll(loads.finish(brokers.target()));
            violations.addAll(oldOwner.violations(brokers.target()));
        }
        return violations;
    }

    /** One line. */
    String figures() {
        return "%,d acknowledged; ms until all writers went on: %s".formatted(loads.progress(), stalls);
    }

    @Override
    public void close() {
        loads.close();
        brokers.close();
        engines.close();
    }
}
