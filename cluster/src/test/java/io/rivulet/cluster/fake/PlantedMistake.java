package io.rivulet.cluster.fake;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.function.LongConsumer;

/** Runs a simulation with a mistake until the mistake is found. */
public final class PlantedMistake {
    private PlantedMistake() {}

    /** @param run the simulation with this seed; throws such a violation if it finds the mistake */
    public static void requireFound(
            Object mistake,
            long firstSeed,
            int mostSeeds,
            Class<? extends RuntimeException> violation,
            LongConsumer run) {
        assertThatThrownBy(
                        () -> {
                            for (long seed = firstSeed; seed < firstSeed + mostSeeds; seed++) {
                                run.accept(seed);
                            }
                        },
                        "%s, %d runs from seed %d",
                        mistake,
                        mostSeeds,
                        firstSeed)
                .isInstanceOf(violation);
    }
}
