package io.rivulet.prove.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.prove.Row;
import io.rivulet.prove.Runner;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kills under load lose nothing, and the check catches a broker that does. {@code -Drivulet.seed=N} repeats it. */
final class KillCheckIT {
    private static final long SEED = Long.getLong("rivulet.seed", System.nanoTime() >>> 20);
    private static final int PROGRESS = 500;

    @TempDir
    private Path directory;

    @Test
    void nothingAcknowledgedIsLostDoubledOrTorn() throws Exception {
        KillCheck check = new KillCheck();

        Row row = new Runner(Path.of("target", "prove-failures"))
                .run(check, SEED, check.points(), Duration.ofMinutes(10));

        assertThat(row.failures()).as("seed %d", SEED).isEmpty();
        assertThat(row.points()).isGreaterThanOrEqualTo(check.points());
    }

    /** After its second kill, the broker finds what was on the disk at the first one. */
    @Test
    void aBrokerThatForgetsWhatItHasAcknowledgedIsCaught() throws Exception {
        try (LoadedBroker broker = new LoadedBroker(directory, Map.of(), SEED)) {
            Path data = directory.resolve("data");
            Path old = directory.resolve("old");
            broker.awaitProgress(PROGRESS);
            broker.process().kill();
            copy(data, old);
            broker.restart();
            broker.awaitProgress(PROGRESS);
            broker.process().kill();
            Runner.delete(data);
            copy(old, data);
            broker.restart();

            assertThat(broker.finish()).isNotEmpty();
        }
    }

    private static void copy(Path from, Path to) throws Exception {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path path : (Iterable<Path>) all::iterator) {
                Files.copy(path, to.resolve(from.relativize(path).toString()));
            }
        }
    }
}
