package io.rivulet.prove.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.prove.Row;
import io.rivulet.prove.Runner;
import io.rivulet.prove.clock.ClockProbes;
import io.rivulet.prove.clock.ClockProbes.Times;
import io.rivulet.prove.clock.KeptOffset;
import io.rivulet.prove.load.MixedLoad;
import io.rivulet.store.faults.FaultShim;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Steps of the clock lose nothing and end nothing early or late. {@code -Drivulet.seed=N} repeats it. */
final class ClockCheckIT {
    private static final long SEED = Long.getLong("rivulet.seed", System.nanoTime() >>> 20);
    /** What ends early must do so by more than a busy machine is late. */
    private static final Times PROMISED = new Times(6_000, 3_000, 5_000, 200_000);

    private static final int SLACK_MILLIS = 1_000;

    /** What a broker does instead of what it promises. */
    @SuppressWarnings("ImmutableEnumChecker") // a record of numbers
    private enum PlantedBug {
        ENDS_SESSIONS_EARLY("a session", new Times(600, 3_000, 5_000, 200_000)),
        ENDS_SESSIONS_LATE("a session", new Times(15_000, 3_000, 5_000, 200_000)),
        ABORTS_TRANSACTIONS_EARLY("a transaction", new Times(6_000, 300, 5_000, 200_000)),
        ABORTS_TRANSACTIONS_LATE("a transaction", new Times(6_000, 15_000, 5_000, 200_000)),
        ENDS_LOCKS_EARLY("a lock", new Times(6_000, 3_000, 1_000, 200_000)),
        ENDS_LOCKS_LATE("a lock", new Times(6_000, 3_000, 15_000, 200_000)),
        THROTTLES_FOR_TOO_LONG("sending", new Times(6_000, 3_000, 5_000, 10_000));

        private final String what;
        private final Times times;

        PlantedBug(String what, Times times) {
            this.what = what;
            this.times = times;
        }
    }

    @TempDir
    private static Path directory;

    private static LoadedBroker broker;

    @BeforeAll
    static void start() throws Exception {
        FaultShim.require();
        broker = new LoadedBroker(
                directory, Map.of(), ClockProbes.BROKER, target -> MixedLoad.start(List.of(), end -> List.of()));
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    @Test
    void nothingIsLostAndNothingEndsEarlyOrLate() throws Exception {
        assertThat(run(new ClockCheck()).failures()).as("seed %d", SEED).isEmpty();
    }

    @Test
    void aBrokerThatTrustsEachStepIsCaught() throws Exception {
        ClockCheck trusting = new ClockCheck(
                new Times(6_000, 2_500, 3_000, 200_000), 30_000, Map.of("rivulet.clock.step.patience.ms", "0"));

        assertThat(run(trusting).failures())
                .as("seed %d", SEED)
                .anyMatch(failure -> failure.what().contains(KeptOffset.DELETED_EARLY));
    }

    @ParameterizedTest
    @EnumSource
    void aBrokerThatEndsSomethingEarlyOrLateIsCaught(PlantedBug bug) throws Exception {
        try (ClockProbes probes = ClockProbes.start(broker.port(), bug.times, PROMISED, SLACK_MILLIS)) {
            List<String> violations = probes.violations();
            assertThat(violations).as(bug.name()).anyMatch(line -> line.startsWith(bug.what));
        }
    }

    private static Row run(ClockCheck check) throws Exception {
        return new Runner(Path.of("target", "prove-failures")).run(check, SEED, check.points(), Duration.ofMinutes(10));
    }
}
