package io.rivulet.broker.share;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Compares the runs of a row with a list, over random changes. */
final class RowRunsTest {
    private static final long SEED = Long.getLong("rivulet.seed", System.nanoTime());

    private final Random random = new Random(SEED);

    private Run run(long first) {
        byte state = random.nextBoolean() ? RecordState.AVAILABLE : RecordState.ACKNOWLEDGED;
        return new Run(1, first, first, state, 0);
    }

    @Test
    void theyAreInTheOrderOfAList() {
        for (int round = 0; round < 200; round++) {
            RowRuns runs = new RowRuns();
            List<Run> expected = new ArrayList<>();
            for (int step = 0; step < 300; step++) {
                int at = random.nextInt(expected.size() + 1);
                if (random.nextInt(3) > 0) {
                    Run run = run(step);
                    runs.insert(at, run);
                    expected.add(at, run);
                } else {
                    int until = at + random.nextInt(Math.min(4, expected.size() - at) + 1);
                    runs.remove(at, until);
                    expected.subList(at, until).clear();
                }
                compare(runs, expected);
            }
        }
    }

    @Test
    void behindTheLastRunThereIsNothingToJoin() {
        RowRuns runs = new RowRuns();
        runs.insert(0, new Run(1, 0, 9, RecordState.AVAILABLE, 0));

        assertThat(runs.merge(runs.find(100))).isZero();
        assertThat(runs.get(0).last).isEqualTo(9);
    }

    private static void compare(RowRuns runs, List<Run> expected) {
        assertThat(runs.size()).as("seed %d", SEED).isEqualTo(expected.size());
        Run available = null;
        for (int i = expected.size() - 1; i >= 0; i--) {
            assertThat(runs.get(i)).as("run %d, seed %d", i, SEED).isSameAs(expected.get(i));
            available = expected.get(i).isAvailable() ? expected.get(i) : available;
        }
        assertThat(runs.firstAvailable()).as("seed %d", SEED).isSameAs(available);
    }
}
