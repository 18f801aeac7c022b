package io.rivulet.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Three brokers that own a log on three bookies by turns, under load: owners and followers are killed, paused and
 * stopped. {@code -Drivulet.failovers=200} for more rounds, {@code -Drivulet.seed=N} for the same ones.
 */
@Timeout(value = 60, unit = TimeUnit.MINUTES)
final class FailoverIT {
    private static final Logger LOG = LoggerFactory.getLogger(FailoverIT.class);
    private static final int ROUNDS = Integer.getInteger("rivulet.failovers", 6);
    private static final long SEED = Long.getLong("rivulet.seed", System.nanoTime() >>> 20);

    @TempDir
    private Path directory;

    @Test
    void nothingAcknowledgedIsLostWhateverBrokerDies() throws Exception {
        try (SmallCluster cluster = new SmallCluster(directory.resolve("cluster"));
                FailoverRounds rounds = new FailoverRounds(directory, cluster, SEED)) {
            boolean sound = true;
            for (int i = 0; i < ROUNDS && sound; i++) {
                sound = rounds.round();
            }
            assertThat(rounds.finish())
                    .as("seed %d: %s", SEED, rounds.figures())
                    .isEmpty();
            LOG.info("seed {}: {}", SEED, rounds.figures());
        }
    }
}
