package io.rivulet.prove.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.prove.faults.HistoryCheck;
import io.rivulet.prove.history.History.Commit;
import io.rivulet.prove.history.History.Committed;
import io.rivulet.prove.history.History.Poll;
import io.rivulet.prove.history.History.Position;
import io.rivulet.prove.history.History.Result;
import io.rivulet.prove.history.History.Write;
import io.rivulet.store.faults.FaultShim;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Histories of a broker keep every rule, and each planted bug breaks one. {@code -Drivulet.seed=N} repeats it. */
final class HistoryCheckIT {
    private static final long SEED = Long.getLong("rivulet.seed", System.nanoTime() >>> 20);

    @TempDir
    private static Path directory;

    private static final int HISTORIES = 3;

    /** The last one. */
    private static final History HISTORY = new History();

    private static final List<String> VIOLATIONS = new ArrayList<>();

    @BeforeAll
    static void record() throws Exception {
        FaultShim.require();
        for (int i = HISTORIES - 1; i >= 0; i--) {
            History history = i == 0 ? HISTORY : new History();
            VIOLATIONS.addAll(HistoryCheck.record(directory, Path.of("target", "prove-failures"), SEED + i, history));
        }
    }

    @Test
    void pausesKillsAndFaultsOfTheDiskBreakNoRule() {
        assertThat(VIOLATIONS).as("seeds from %d", SEED).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void aPlantedBugIsCaught(PlantedBug bug) {
        assertThat(new HistoryChecker(bug.in(HISTORY)).violations())
                .as("seed %d", SEED)
                .anyMatch(line -> line.startsWith(bug.rule() + ": "));
    }

    @Test
    void theHistoryHasEveryKindOfEvent() {
        assertThat(HISTORY.events(Commit.class)).anyMatch(one -> one.result() == Result.OK);
        assertThat(HISTORY.events(Committed.class)).isNotEmpty();
        assertThat(HISTORY.events(Poll.class)).anyMatch(Poll::isCommitted).anyMatch(poll -> !poll.isCommitted());
        assertThat(HISTORY.events(Position.class))
                .anyMatch(one -> one.group().isEmpty())
                .anyMatch(one -> !one.group().isEmpty());
        assertThat(HISTORY.events(Write.class))
                .anyMatch(one -> !one.isTransaction())
                .anyMatch(one -> one.isTransaction() && one.result() == Result.OK)
                .anyMatch(one -> one.isTransaction() && one.result() == Result.FAIL)
                .anyMatch(one -> !one.inputs().isEmpty());
    }
}
