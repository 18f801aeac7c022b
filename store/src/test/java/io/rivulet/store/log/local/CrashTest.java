package io.rivulet.store.log.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Thousands of power cuts. A failure message contains the seed; {@code new CrashSimulation(seed, ...)} repeats it. */
class CrashTest {
    @Test
    void whatWasAcknowledgedSurvivesAnyPowerCut() {
        int states = 0;
        for (long seed = 0; seed < 800; seed++) {
            states += new CrashSimulation(seed, UnaryOperator.identity()).run(6);
        }

        assertThat(states).isGreaterThan(30_000);
    }
}
