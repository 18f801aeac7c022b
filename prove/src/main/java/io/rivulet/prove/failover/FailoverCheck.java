package io.rivulet.prove.failover;

import io.rivulet.prove.Check;
import io.rivulet.prove.faults.KeptFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

/** Faults of brokers and engines of a cluster, under loads that must see everything exactly once. Immutable. */
public final class FailoverCheck implements Check {
    /** How often a seed has each, in any order. */
    private static final Map<Fault, Integer> OF_A_SEED = new EnumMap<>(Map.of(
            Fault.OWNER_KILLED, 6,
            Fault.OWNER_PAUSED, 6,
            Fault.BOOKIE_LOST_AND_OWNER_KILLED, 4,
            Fault.BOOKIE_LOST_AND_OWNER_PAUSED, 4,
            Fault.BOOKIE_LOST, 2,
            Fault.ALL_KILLED, 10,
            Fault.OWNER_STOPPED, 1,
            Fault.FOLLOWER_KILLED, 1));

    /** One waits a lot, for the end of a session or for a start: two take little more than half of the time. */
    private static final int CLUSTERS = 2;

    private final Bug bug;
    private final List<Fault> faults;
    private final int clusters;

    public FailoverCheck() {
        this(
                Bug.NONE,
                OF_A_SEED.entrySet().stream()
                        .flatMap(fault -> Collections.nCopies(fault.getValue(), fault.getKey()).stream())
                        .toList(),
                CLUSTERS);
    }

    /**
     * @param faults of a seed
     * @param clusters how many at a time
     */
    FailoverCheck(Bug bug, List<Fault> faults, int clusters) {
        this.bug = bug;
        this.faults = List.copyOf(faults);
        this.clusters = clusters;
    }

    @Override
    public String name() {
        return "failover";
    }

    @Override
    public String promise() {
        return "brokers that own a log by turns, killed, paused, stopped, and bookies killed, paused, wiped, and all at"
                + " once: nothing acknowledged is lost, doubled or torn, and no answer is stale";
    }

    @Override
    public int points() {
        return faults.size();
    }

    @Override
    public int threads() {
        return clusters;
    }

    @Override
    public Points open(Path scratch, Path kept) {
        return seed -> {
            AtomicInteger done = new AtomicInteger();
            List<String> figures = new ArrayList<>();
            List<String> violations =
                    KeptFiles.run("failover-" + seed, scratch, kept, own -> violations(own, seed, done, figures));
            return new Found(done.get(), violations, figures);
        };
    }

    private List<String> violations(Path own, long seed, AtomicInteger done, List<String> figures) throws Exception {
        Random random = new Random(seed);
        try (Rounds rounds = new Rounds(own, random.nextLong(), bug)) {
            List<Fault> order = new ArrayList<>(faults);
            Collections.shuffle(order, random);
            for (Fault fault : order) {
                if (rounds.isSound()) {
                    rounds.round(fault);
                    done.incrementAndGet();
                }
            }
            List<String> violations = rounds.finish();
            figures.add("seed " + seed + ": " + rounds.figures());
            return violations;
        }
    }
}
