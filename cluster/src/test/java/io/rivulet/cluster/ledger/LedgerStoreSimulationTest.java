package io.rivulet.cluster.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.cluster.fake.FakeEngine;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/**
 * Whole stores on ledgers. A failure contains its seed: {@code -Drivulet.seed=SEED -Drivulet.seeds=1} repeats it. More
 * lives: {@code -Drivulet.seeds=4000}.
 */
final class LedgerStoreSimulationTest {
    private static final int SEEDS = Integer.getInteger("rivulet.seeds", 40);
    private static final int LIVES = 5;
    private static final int LOOKS = 3;

    private final long firstSeed = Long.getLong("rivulet.seed", System.nanoTime() >>> 20);

    private static LedgerStoreSimulation.Tally run(long seed) {
        return new LedgerStoreSimulation(seed, LOOKS, FakeEngine.Bug.NONE, UnaryOperator.identity()).run(LIVES);
    }

    @Test
    void whatAStoreAcknowledgesStaysWhoeverOwnsItsLog() {
        LedgerStoreSimulation.Tally all = new LedgerStoreSimulation.Tally();
        for (long seed = firstSeed; seed < firstSeed + SEEDS; seed++) {
            all.add(run(seed));
        }
        assertThat(all.states).isGreaterThan(SEEDS);
        assertThat(all.takeovers).isGreaterThan(SEEDS / 2);
        assertThat(all.merges).isGreaterThan(SEEDS);
        assertThat(all.expiries).isGreaterThan(SEEDS / 4);
        assertThat(all.answersLost).isGreaterThan(SEEDS / 4);
    }

    @Test
    void aSeedRepeatsItsRun() {
        for (long seed = firstSeed; seed < firstSeed + 3; seed++) {
            assertThat(run(seed).fingerprint).as("rivulet.seed=" + seed).isEqualTo(run(seed).fingerprint);
        }
    }
}
