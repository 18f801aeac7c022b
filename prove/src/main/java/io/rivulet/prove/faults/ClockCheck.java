package io.rivulet.prove.faults;

import io.rivulet.prove.Check;
import io.rivulet.prove.clock.ClockProbes;
import io.rivulet.prove.clock.ClockProbes.Times;
import io.rivulet.prove.clock.KeptOffset;
import io.rivulet.prove.load.MixedLoad;
import io.rivulet.store.faults.ClockShim;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Steps of the wall clock of a broker process, by a preloaded library, under one mixed load. Immutable. */
public final class ClockCheck implements Check {
    private static final int POINTS = 20;
    private static final int STEPS_OF_A_SEED = 20;
    private static final long YEAR_MILLIS = Duration.ofDays(365).toMillis();
    private static final int MOST_PAUSE_MILLIS = 400;
    /** On a busy machine. What never ends is later. */
    private static final int SLACK_MILLIS = 30_000;

    private static final Times TIMES = new Times(6_000, 2_500, 3_000, 200_000);

    private static final Map<String, String> BROKER = Map.of(
            "offsets.retention.check.interval.ms",
            "200",
            "transaction.remove.expired.transaction.cleanup.interval.ms",
            "200",
            // a producer whose clock is right is not refused while that of the broker is behind
            "log.message.timestamp.after.max.ms",
            String.valueOf(Long.MAX_VALUE));

    private final Times promised;
    private final int slackMillis;
    private final Map<String, String> more;

    public ClockCheck() {
        this(TIMES, SLACK_MILLIS, Map.of());
    }

    /** Tests plant bugs here: a broker that does something else than it promises. */
    ClockCheck(Times promised, int slackMillis, Map<String, String> more) {
        this.promised = promised;
        this.slackMillis = slackMillis;
        this.more = more;
    }

    @Override
    public String name() {
        return "clock";
    }

    @Override
    public String promise() {
        return "steps of the clock, up to a year both ways: nothing is lost or deleted early; sessions, transactions,"
                + " locks and quotas last as long as without";
    }

    @Override
    public int points() {
        return POINTS;
    }

    @Override
    public Points open(Path scratch, Path kept) {
        return seed -> point(scratch, kept, seed);
    }

    private Found point(Path scratch, Path kept, long seed) throws Exception {
        AtomicInteger steps = new AtomicInteger();
        List<String> violations = KeptFiles.run("clock-" + seed, scratch, kept, own -> violations(own, seed, steps));
        return new Found(steps.get(), violations);
    }

    private List<String> violations(Path own, long seed, AtomicInteger steps) throws Exception {
        ClockShim clock = ClockShim.compile(own);
        Map<String, String> overrides = new HashMap<>(BROKER);
        overrides.putAll(ClockProbes.BROKER);
        overrides.putAll(more);
        try (LoadedBroker broker =
                new LoadedBroker(own, clock.environment(), overrides, target -> MixedLoad.start(target, seed))) {
            steps.set(step(broker, clock, new Random(seed)));
            return broker.finish();
        }
    }

    /** Returns how many steps there were: at least those that were wanted, and until all probes are done. */
    private int step(LoadedBroker broker, ClockShim clock, Random random) throws Exception {
        int steps = 0;
        KeptOffset kept = new KeptOffset(broker.port());
        kept.commit();
        try (ClockProbes probes = ClockProbes.start(broker.port(), TIMES, promised, slackMillis)) {
            while ((steps < STEPS_OF_A_SEED || !probes.isDone()) && broker.isSound()) {
                clock.shift(Duration.ofMillis(shiftMillis(random)));
                DiskFaults.pause(TimeUnit.MILLISECONDS.toNanos(random.nextInt(MOST_PAUSE_MILLIS)));
                broker.awaitProgress(1);
                steps++;
            }
            probes.violations().forEach(broker::violated);
        }
        requireThere(kept, broker);
        if (!broker.process().err().contains("The wall clock stepped from")) {
            broker.violated("the broker has not seen the steps of the clock");
        }
        clock.shift(Duration.ofMillis(shiftMillis(random)));
        broker.process().kill();
        broker.restart();
        broker.awaitProgress(1);
        clock.shift(Duration.ZERO);
        broker.awaitProgress(1);
        return steps;
    }

    private static void requireThere(KeptOffset offset, LoadedBroker broker) throws Exception {
        if (broker.process().isAlive() && !offset.isThere()) {
            broker.violated(KeptOffset.DELETED_EARLY);
        }
    }

    /** Against the true time. */
    private static long shiftMillis(Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> 0;
            case 1 -> random.nextInt(120_000) - 60_000;
            case 2 -> (random.nextBoolean() ? 1 : -1) * YEAR_MILLIS;
            default -> (long) ((random.nextDouble() * 2 - 1) * YEAR_MILLIS);
        };
    }
}
