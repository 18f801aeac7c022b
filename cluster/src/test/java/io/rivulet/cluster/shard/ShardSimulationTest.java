package io.rivulet.cluster.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.cluster.fake.PlantedMistake;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Brokers that die, pause and take a shard over; and mistakes that must be found. {@code -Drivulet.seed} repeats a run,
 * {@code -Drivulet.seeds} has more of them.
 */
final class ShardSimulationTest {
    private static final int SEEDS = Integer.getInteger("rivulet.seeds", 60);
    /** The rarest mistake was found in 32 of 320 runs. At one in 25, one test in ten million would miss it. */
    private static final int MOST_SEEDS = 400;

    private final long firstSeed = Long.getLong("rivulet.seed", System.nanoTime());

    @Test
    void noAnswerIsOldAndThereIsAlwaysAnOwnerInTheEnd() {
        long claims = 0;
        long answers = 0;
        for (long seed = firstSeed; seed < firstSeed + SEEDS; seed++) {
            long[] counts = new ShardSimulation(seed, ShardBug.NONE).run();
            claims += counts[0];
            answers += counts[1];
        }
        assertThat(claims).isGreaterThan(3L * SEEDS);
        assertThat(answers).isGreaterThan(100L * SEEDS);
    }

    @Test
    void aRunIsAFunctionOfItsSeed() {
        long[] counts = new ShardSimulation(firstSeed, ShardBug.NONE).run();
        assertThat(new ShardSimulation(firstSeed, ShardBug.NONE).run()).isEqualTo(counts);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void aMistakeIsFound(ShardBug bug) {
        PlantedMistake.requireFound(
                bug,
                firstSeed,
                MOST_SEEDS,
                ShardSimulation.Violation.class,
                seed -> new ShardSimulation(seed, bug).run());
    }
}
