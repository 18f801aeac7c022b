package io.rivulet.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.cluster.service.BuggyShards;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three brokers that own a log on three bookies by turns, each on a machine of its own, under load: the network between
 * machines is cut and mended. {@code -Drivulet.partitions=N} for N rounds, {@code -Drivulet.seed=N} for the same ones,
 * {@code -Drivulet.keepers=3} for three members of ZooKeeper.
 */
@Timeout(value = 90, unit = TimeUnit.MINUTES)
final class PartitionIT {
    private static final int ROUNDS = Integer.getInteger("rivulet.partitions", 20);
    private static final int KEEPERS = Integer.getInteger("rivulet.keepers", 1);
    private static final long SEED = Long.getLong("rivulet.seed", System.nanoTime() >>> 20);

    @TempDir
    private static Path directory;

    private static CutNetwork network;
    private static SmallCluster cluster;
    private static List<Machine> machines;

    @BeforeAll
    static void start() throws Exception {
        CutNetwork.require();
        network = new CutNetwork();
        machines = network.add(PartitionRounds.BROKERS);
        cluster =
                new SmallCluster(directory.resolve("cluster"), network.add(KEEPERS), network.add(SmallCluster.BOOKIES));
    }

    @AfterAll
    static void stop() throws Exception {
        if (cluster != null) {
            cluster.close();
        }
        if (network != null) {
            network.close();
        }
    }

    private static PartitionRounds rounds(String bug) throws Exception {
        Path scratch = Files.createDirectories(directory.resolve("brokers" + bug));
        return new PartitionRounds(scratch, network, cluster, machines, bug, SEED);
    }

    @Test
    void nothingIsLostAndNoAnswerIsOldWhateverIsCut() throws Exception {
        long startedNanos = System.nanoTime();
        try (PartitionRounds rounds = rounds("")) {
            boolean isSound = true;
            for (int i = 0; i < ROUNDS && isSound; i++) {
                isSound = rounds.round();
            }

            assertThat(rounds.finish())
                    .as("seed %d: %s", SEED, rounds.figures())
                    .isEmpty();
            Figures.append("partition-rounds.txt", SEED, rounds.figures(), startedNanos);
        } catch (ConditionTimeoutException e) {
            throw new AssertionError("seed " + SEED, e);
        }
    }

    @Test
    void anOwnerThatAsksForNoLeaseIsCaught() throws Exception {
        try (PartitionRounds rounds = rounds(BuggyShards.ASKS_NO_LEASE)) {
            boolean isSound =
                    rounds.round(PartitionRounds.Cut.OWNER_FROM_REGISTRY_AND_WRITERS, PartitionRounds.Direction.BOTH);

            assertThat(isSound).as("seed %d", SEED).isFalse();
            assertThat(rounds.finish())
                    .as("seed %d", SEED)
                    .extracting(Violation::kind)
                    .contains(Violation.Kind.STALE);
        }
    }
}
