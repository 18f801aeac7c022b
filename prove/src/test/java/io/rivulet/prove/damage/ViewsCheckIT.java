package io.rivulet.prove.damage;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.prove.Check;
import io.rivulet.prove.Row;
import io.rivulet.prove.Runner;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** All state can be rebuilt from the log, and the check of that catches bugs. {@code -Drivulet.seed=N} repeats it. */
final class ViewsCheckIT {
    private static final long SEED = Long.getLong("rivulet.seed", System.nanoTime() >>> 20);
    private static final int MOST_POINTS = 20;

    @TempDir
    private static Path directory;

    private static Path scratch;
    private static Sample sample;

    @BeforeAll
    static void makeSample() throws Exception {
        scratch = Files.createDirectory(directory.resolve("scratch"));
        sample = Sample.make(scratch, Sample.LARGE_SEGMENT_BYTES);
    }

    @Test
    void allButTheLogCanBeRebuilt() throws Exception {
        ViewsCheck check = new ViewsCheck();

        Row row = new Runner(Path.of("target", "prove-failures"))
                .run(check, SEED, check.points(), Duration.ofMinutes(10));

        assertThat(row.failures()).as("seed %d", SEED).isEmpty();
        assertThat(row.points()).isGreaterThanOrEqualTo(check.points());
    }

    /** A view whose replay differs from what it was live. */
    @ParameterizedTest
    @EnumSource
    void aStateThatIsNotTheSameIsCaught(PlantedBug bug) throws Exception {
        List<String> violations = new ArrayList<>();
        Check.Points points = new ViewsCheck(bug.in(Opened::byBroker)).on(sample, scratch, directory.resolve("kept"));
        for (int i = 0; i < MOST_POINTS && violations.isEmpty(); i++) {
            violations.addAll(points.run(SEED + i).violations());
        }
        assertThat(violations).isNotEmpty();
    }
}
