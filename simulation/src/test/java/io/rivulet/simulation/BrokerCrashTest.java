package io.rivulet.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/**
 * The power of a whole broker is cut again and again, and every client gets back what it was promised. -Drivulet.seed=N
 * repeats a seed, -Drivulet.lives=M lengthens each.
 */
final class BrokerCrashTest {
    private static final int LIVES = Integer.getInteger("rivulet.lives", 10);
    private static final int SEEDS = Integer.getInteger("rivulet.seeds", 50);
    private static final @org.jspecify.annotations.Nullable Long SEED = Long.getLong("rivulet.seed");

    @Test
    void whatWasPromisedSurvivesEveryCut() {
        long first = SEED == null ? System.nanoTime() : SEED;
        int seeds = SEED == null ? SEEDS : 1;
        System.out.println("Seeds from " + first + ", " + seeds + " of them with " + LIVES + " lives each");
        long events = 0;
        for (long seed = first; seed < first + seeds; seed++) {
            events += new BrokerSimulation(seed, Tampering.NONE).run(LIVES).events();
        }
        assertThat(events).isPositive();
    }

    @Test
    void aSeedRepeatsBitForBit() {
        long seed = SEED == null ? System.nanoTime() : SEED;
        System.out.println("Seed " + seed);
        long hash = new BrokerSimulation(seed, Tampering.NONE).run(LIVES).hash();

        assertThat(new BrokerSimulation(seed, Tampering.NONE).run(LIVES).hash())
                .as("seed %s", seed)
                .isEqualTo(hash);
    }
}
