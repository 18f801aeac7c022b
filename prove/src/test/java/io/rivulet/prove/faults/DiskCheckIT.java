package io.rivulet.prove.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.prove.Row;
import io.rivulet.prove.Runner;
import io.rivulet.store.faults.FaultShim;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Faults of the disk lose nothing, and the check catches wrong ends. {@code -Drivulet.seed=N} repeats it. */
final class DiskCheckIT {
    private static final long SEED = Long.getLong("rivulet.seed", System.nanoTime() >>> 20);
    private static final int KILLED = 137;
    private static final int IO_FAILURE = 74;

    @Test
    void nothingAcknowledgedIsLostAndTheBrokerGoesOnOrNamesTheCause() throws Exception {
        FaultShim.require();
        DiskCheck check = new DiskCheck();

        Row row = new Runner(Path.of("target", "prove-failures"))
                .run(check, SEED, check.points(), Duration.ofMinutes(20));

        assertThat(row.failures()).as("seed %d", SEED).isEmpty();
        assertThat(row.points()).isGreaterThanOrEqualTo(check.points());
    }

    @Test
    void anEndThatWasNotPromisedIsCaught() {
        assertThat(DiskFaults.complaint("EIO", false, IO_FAILURE, "the disk failed"))
                .isNull();

        assertThat(DiskFaults.complaint("ENOSPC", true, IO_FAILURE, "the disk failed"))
                .contains("has ended");
        assertThat(DiskFaults.complaint("EIO", false, KILLED, "the disk failed"))
                .contains("137");
        assertThat(DiskFaults.complaint("EIO", false, IO_FAILURE, "")).contains("without a word");
    }
}
