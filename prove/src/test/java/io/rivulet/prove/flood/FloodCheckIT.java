package io.rivulet.prove.flood;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.prove.Row;
import io.rivulet.prove.Runner;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Others are served during floods, and the check catches a broker that fails. {@code -Drivulet.seed=N} repeats it. */
final class FloodCheckIT {
    private static final long SEED = Long.getLong("rivulet.seed", System.nanoTime() >>> 20);
    private static final Measured SOUND = new Measured(
            new Turns(List.of(turn(4, 4), turn(4, 4), turn(4, 4)), List.of(turn(5, 5), turn(5, 40), turn(3, 3))),
            null,
            20 << 20,
            40,
            42,
            true,
            List.of());

    @TempDir
    private Path directory;

    @Test
    void othersAreServedAndAllIsFreedAgain() throws Exception {
        FloodCheck check = new FloodCheck();

        Row row = new Runner(Path.of("target", "prove-failures"))
                .run(check, SEED, check.points(), Duration.ofMinutes(10));

        assertThat(row.failures()).as("seed %d", SEED).isEmpty();
        assertThat(row.points()).isGreaterThanOrEqualTo(check.points());
        assertThat(row.figures()).hasSize(Flood.values().length);
    }

    @ParameterizedTest
    @EnumSource
    void aBrokerThatFailsInAFloodIsCaught(PlantedBug bug) {
        assertThat(bug.in(SOUND).complaints(true)).isNotEmpty();
    }

    /** A pause in one turn is no reason to complain. */
    @Test
    void aSoundBrokerIsNoViolation() {
        assertThat(SOUND.complaints(true)).isEmpty();
    }

    @Test
    void aShortRunDoesNotJudgeTheRatio() {
        assertThat(PlantedBug.LETS_OTHERS_WAIT.in(SOUND).complaints(false)).isEmpty();
    }

    /** This broker does not know that its file descriptors may run out. */
    @Test
    void aBrokerWithoutALimitOfConnectionsIsCaught() throws Exception {
        Measured measured = new FloodCheck()
                .measure(directory, Flood.DESCRIPTORS, SEED, Map.of("max.connections", String.valueOf(1 << 20)));

        assertThat(measured.complaints(false)).isNotEmpty();
    }

    /** Of a hundred exchanges the two longest take the second time. */
    private static long[] turn(int millis, int longestMillis) {
        return LongStream.range(0, 100)
                .map(i -> 1_000_000L * (i < 98 ? millis : longestMillis))
                .toArray();
    }
}
