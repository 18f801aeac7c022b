package io.rivulet.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * The power of a whole broker is cut again and again, and every client gets back what it was promised. A failure names
 * its seed: {@code -Drivulet.seed=SEED} repeats it, {@code -Drivulet.seeds=N} and {@code -Drivulet.lives=M} run more.
 */
final class BrokerCrashTest {
    private static final long FIRST_SEED = Long.getLong("rivulet.seed", 0);
    private static final int SEEDS = Integer.getInteger("rivulet.seeds", 50);
    private static final int LIVES = Integer.getInteger("rivulet.lives", 10);
    private static final int REPEATED_SEEDS = 3;

    @Test
    void whatWasPromisedSurvivesEveryCut() {
        Map<String, Long> counts = new TreeMap<>();
        for (long seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
            new BrokerSimulation(seed, Tampering.NONE)
                    .run(LIVES)
                    .counts()
                    .forEach((what, times) -> counts.merge(what, times, Long::sum));
        }

        assertThat(counts).as("what has happened").containsKeys("PRODUCE", "END_TXN", "SHARE_ACKNOWLEDGE", "MERGES");
    }

    @Test
    void aSeedRepeatsBitForBit() {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + REPEATED_SEEDS; seed++) {
            long hash = new BrokerSimulation(seed, Tampering.NONE).run(LIVES).hash();

            assertThat(new BrokerSimulation(seed, Tampering.NONE).run(LIVES).hash())
                    .as("seed %s", seed)
                    .isEqualTo(hash);
        }
    }
}
