package io.rivulet.prove.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.prove.Row;
import io.rivulet.prove.Runner;
import io.rivulet.prove.damage.Picture;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Data of earlier versions are opened, and the check catches what is wrong. {@code -Drivulet.seed=N} repeats it. */
final class UpgradeCheckIT {
    private static final long SEED = Long.getLong("rivulet.seed", System.nanoTime() >>> 20);

    @TempDir
    private Path directory;

    @Test
    void earlierVersionsAreOpenedAndLaterOnesAreRefused() throws Exception {
        UpgradeCheck check = new UpgradeCheck();

        Row row = new Runner(Path.of("target", "prove-failures"))
                .run(check, SEED, check.points(), Duration.ofMinutes(10));

        assertThat(row.failures()).as("seed %d", SEED).isEmpty();
        assertThat(row.points()).isGreaterThanOrEqualTo(check.points());
    }

    @ParameterizedTest
    @EnumSource
    void aBrokerThatReadsOtherVersionsWronglyIsCaught(PlantedBug bug) throws Exception {
        Picture truth = newest().truth();

        assertThat(bug.complaints(truth)).isNotEmpty();
        assertThat(Known.wrong(PlantedBug.copy(truth), truth)).isEmpty();
    }

    private Archive newest() throws Exception {
        return Archive.unpack(Archive.names().get(Archive.names().size() - 1), directory.resolve("data"));
    }

    /** There is one of everything that this version can keep. */
    @Test
    void theNewestArchiveHasAllFeatures() throws Exception {
        Picture truth = newest().truth();

        assertThat(truth.records()).containsKeys("plain-0", "compacted-0", "huge-0", "transactions-0");
        assertThat(String.join("\n", truth.state()))
                .contains("rule on ", "user ", "quota ", "share group ", "producer in ", "aborted in ", "transaction ")
                .contains("CLASSIC_GROUPS", "CONSUMER_GROUPS", "SHARE_GROUPS", "STREAMS_GROUPS");
        for (NewerFormat format : NewerFormat.values()) {
            assertThat(format.in(directory.resolve("data"))).as(format.title()).isNotEmpty();
        }
    }

    @Test
    void aLaterVersionMaySayMore() {
        assertThat(Known.saysAll("group G(id=a, state=Empty, type=classic)", "group G(id=a, type=classic)"))
                .isTrue();
        assertThat(Known.saysAll("group G(id=a, type=consumer)", "group G(id=a, type=classic)"))
                .isFalse();
    }
}
