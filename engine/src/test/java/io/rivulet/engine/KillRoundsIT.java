package io.rivulet.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.cluster.bookkeeper.BuggyLogs;
import java.nio.file.Path;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A broker on three bookies is killed or replaced under load, and bookies fail: nothing acknowledged is lost, doubled
 * or out of order. {@code -Drivulet.kills=N} runs N rounds, {@code -Drivulet.seed=N} repeats the choices of a run.
 */
final class KillRoundsIT {
    private static final int ROUNDS = Integer.getInteger("rivulet.kills", 20);
    private static final long SEED = Long.getLong("rivulet.seed", System.nanoTime() >>> 20);
    private static final int ROUNDS_TO_A_BUG = 12;
    private static final int ROUNDS_TO_A_WIPE = 40;

    @TempDir
    private Path directory;

    @Test
    void nothingAcknowledgedIsLostDoubledOrOutOfOrder() throws Exception {
        long startedNanos = System.nanoTime();
        try (SmallCluster cluster = new SmallCluster(directory.resolve("cluster"));
                KillRounds rounds = new KillRounds(directory, cluster, "", SEED)) {
            int round = 0;
            while (round < ROUNDS && rounds.round()) {
                round++;
                if (round % ROUNDS_TO_A_WIPE == 0) {
                    rounds.wipeABookie();
                }
            }

            assertThat(rounds.finish()).as("seed %d, round %d", SEED, round).isEmpty();
            Figures.append("kill-rounds.txt", SEED, rounds.figures(), startedNanos);
        } catch (ConditionTimeoutException e) {
            throw new AssertionError("seed " + SEED, e);
        }
    }

    @Test
    void aLogThatAnswersEarlyIsCaught() throws Exception {
        requireViolation(BuggyLogs.ANSWERS_EARLY, Violation.Kind.LOST);
    }

    /**
     * Only a replaced owner that goes on can show it. What it has acknowledged is lost. If it acknowledged nothing, but
     * wrote, the next start refuses the log: the ledger has more groups than the owner that followed knew.
     */
    @Test
    void aLogThatFencesNothingIsCaught() throws Exception {
        requireViolation(BuggyLogs.FENCES_NOTHING, Violation.Kind.LOST, Violation.Kind.ENDED);
    }

    /** Any of these shows that there is a bug. */
    private void requireViolation(String bug, Violation.Kind... signs) throws Exception {
        try (SmallCluster cluster = new SmallCluster(directory.resolve("cluster"));
                KillRounds rounds = new KillRounds(directory, cluster, bug, SEED)) {
            boolean isSound = true;
            for (int round = 0; round < ROUNDS_TO_A_BUG && isSound; round++) {
                isSound = rounds.round();
            }

            assertThat(rounds.violations())
                    .as("seed %d", SEED)
                    .extracting(Violation::kind)
                    .containsAnyOf(signs);
            assertThat(rounds.latest()).as("seed %d", SEED).isIn(KillRounds.Fault.KILLED, KillRounds.Fault.REPLACED);
        }
    }
}
