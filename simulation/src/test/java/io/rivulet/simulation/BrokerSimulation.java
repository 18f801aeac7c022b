package io.rivulet.simulation;

import io.rivulet.store.io.CrashDisk;
import io.rivulet.store.log.local.FirstState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Lives of one broker, each ended by a power cut, a kill or a close; a function of its seed. */
final class BrokerSimulation {
    private static final int MOST_OPERATIONS = 500;
    private static final int MOST_STEPS = 4_000;
    private static final long LONGEST_STEP_MILLIS = TimeUnit.DAYS.toMillis(365);
    private static final int THREAD_STACK_BYTES = 8 << 20;

    private final long seed;
    private final SplittableRandom random;
    private final Tampering tampering;
    private final World world = new World();
    private final List<Participant> participants = new ArrayList<>();
    private final List<Consumer<Asking>> checks = new ArrayList<>();
    private final SimulatedTime time = new SimulatedTime();
    private final Trace trace = new Trace();
    private CrashDisk disk = new CrashDisk();

    BrokerSimulation(long seed, Tampering tampering) {
        this.seed = seed;
        this.random = new SplittableRandom(seed);
        this.tampering = tampering;
        participants.add(new Producer(world, "plain", false));
        participants.add(new Producer(world, "idempotent", true));
        participants.add(new Producer(world, "second-idempotent", true));
        participants.add(new TransactionalProducer(world, "first-protocol", false));
        participants.add(new TransactionalProducer(world, "second-protocol", true));
        participants.add(new Committer(world, "committer"));
        participants.add(new Reader(world, "reader", false));
        participants.add(new Reader(world, "committed-reader", true));
        ShareLog shared = new ShareLog(world, World.SHARE_GROUP);
        participants.add(new ShareConsumer(world, "sharer-1", shared));
        participants.add(new ShareConsumer(world, "sharer-2", shared));
        participants.add(new GroupMember(world, "member"));
        participants.add(new ClassicMember(world, "classic-member"));
        participants.add(new TopicChanger(world, "changer"));
        participants.add(new StreamsMember(world, "streams-member"));
        participants.add(new IdTaker(world, "id-taker"));
        participants.add(new Quotas(world, "quotas"));
        participants.add(new Users(world, "users"));
        participants.add(new AccessRules(world, "rules"));
        participants.add(new GroupConfigs(world, "group-configs"));
        checks.add(shared::verify);
        try {
            FirstState.write(disk.directory("log"), random.nextLong());
            disk.syncDirectory();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Throws when a promise is broken. */
    BrokerSimulation run(int lives) {
        for (int life = 0; life < lives; life++) {
            String where = "seed " + seed + ", life " + life;
            try {
                inOwnThread(this::live);
            } catch (BrokenPromise e) {
                throw e.at(where);
            }
        }
        return this;
    }

    /** A hash of everything that has happened. */
    long hash() {
        return trace.hash();
    }

    Map<String, Long> counts() {
        return trace.counts();
    }

    long events() {
        return trace.events();
    }

    /** Some state of libraries belongs to a thread. */
    private static void inOwnThread(Runnable life) {
        @Nullable Throwable[] thrown = new Throwable[1];
        Thread thread = new Thread(
                null,
                () -> {
                    try {
                        life.run();
                    } catch (Throwable e) {
                        thrown[0] = e;
                    }
                },
                "life",
                THREAD_STACK_BYTES);
        thread.start();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
        Throwable e = thrown[0];
        if (e instanceof BrokenPromise broken) {
            throw broken;
        } else if (e != null) {
            throw Promise.STARTS_AND_WORKS.broken(e.toString(), e);
        }
    }

    private void live() {
        int mostOperations = random.nextInt(4) == 0 ? 60 : MOST_OPERATIONS;
        Power power = new Power(disk, random, mostOperations);
        SimulatedBroker broker = new SimulatedBroker(time, power, trace, random.split());
        broker.start(disk, tampering);
        try {
            if (!power.isOff()) {
                serve(broker, power);
            }
        } catch (Asking.PowerIsOff e) {
            // The next life starts on what is left.
        }
        broker.countWork();
        disk = power.left();
    }

    private void serve(SimulatedBroker broker, Power power) {
        Asking asking = new Asking(broker, random.split());
        participants.forEach(participant -> participant.begin(broker, random.split()));
        world.createTopics(asking);
        participants.forEach(participant -> participant.settle(asking));
        world.verify(asking);
        participants.forEach(participant -> participant.verify(asking));
        checks.forEach(check -> check.accept(asking));
        int steps = random.nextInt(MOST_STEPS);
        int clientShare = 5 + random.nextInt(60);
        for (int step = 0; step < steps && !power.isOff(); step++) {
            if (random.nextInt(100) < clientShare) {
                participants.get(random.nextInt(participants.size())).act();
            }
            if (random.nextInt(2_000) == 0) {
                time.step(random.nextLong(-LONGEST_STEP_MILLIS, LONGEST_STEP_MILLIS));
            }
            broker.step(time.nanos() + TimeUnit.MILLISECONDS.toNanos(20));
            participants.forEach(Participant::requireAnswers);
        }
        end(broker, power, asking);
    }

    private void end(SimulatedBroker broker, Power power, Asking asking) {
        switch (random.nextInt(5)) {
            case 0 -> power.kill();
            case 1 -> power.cut();
            case 2 -> close(broker, power, asking);
            default -> {
                while (!power.isOff() && !participants.stream().allMatch(Participant::isQuiet)) {
                    broker.step(Long.MAX_VALUE);
                    participants.forEach(Participant::requireAnswers);
                }
                power.cut();
            }
        }
    }

    /** As after SIGTERM. Clients leave first: the broker would wait for the ends of their connections. */
    private void close(SimulatedBroker broker, Power power, Asking asking) {
        participants.forEach(Participant::leave);
        asking.leave();
        while (!power.isOff() && !(asking.hasLeft() && participants.stream().allMatch(Participant::hasLeft))) {
            broker.step(Long.MAX_VALUE);
        }
        if (!power.isOff()) {
            broker.close();
            power.kill();
        }
    }
}
