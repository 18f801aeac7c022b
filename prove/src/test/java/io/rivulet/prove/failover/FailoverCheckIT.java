package io.rivulet.prove.failover;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.prove.Row;
import io.rivulet.prove.Runner;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Faults in a cluster lose nothing, and the check catches brokers that do. {@code -Drivulet.seed=N} repeats it. */
@Timeout(value = 30, unit = TimeUnit.MINUTES)
final class FailoverCheckIT {
    private static final long SEED = Long.getLong("rivulet.seed", System.nanoTime() >>> 20);
    private static final int TURNS_TO_A_BUG = 4;

    @Test
    void nothingAcknowledgedIsLostDoubledOrTornAndNoAnswerIsStale() throws Exception {
        FailoverCheck check = new FailoverCheck();

        Row row = run(check, check.points());

        assertThat(row.failures()).as("seed %d", SEED).isEmpty();
        assertThat(row.points())
                .as("the rounds of a seed, by each thread")
                .isEqualTo((long) check.threads() * check.points());
    }

    @ParameterizedTest
    @EnumSource
    void aPlantedBugIsCaught(PlantedBug bug) throws Exception {
        FailoverCheck check = new FailoverCheck(bug.inBrokers(), Collections.nCopies(TURNS_TO_A_BUG, bug.shownBy()), 1);

        assertThat(run(check, 1).failures()).as("seed %d", SEED).anyMatch(failure -> bug.explains(failure.what()));
    }

    private static Row run(FailoverCheck check, int points) throws Exception {
        return new Runner(Path.of("target", "prove-failures")).run(check, SEED, points, Duration.ofMinutes(20));
    }
}
