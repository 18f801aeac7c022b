package io.rivulet.broker.share;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.protocol.wire.Uuid;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Runs and rows are used again, within a limit. */
final class RunPoolTest {
    private static final int SOME = 1000;

    private final ShareMemory memory = new ShareMemory(64 << 20);
    private final RunPool pool = new RunPool(memory);

    private static Run ended() {
        Run run = new Run(1, 0, 9, RecordState.ACKNOWLEDGED, 3);
        run.together = 5;
        return run;
    }

    @Test
    void aRunThatIsUsedAgainIsLikeANewOne() {
        Run before = ended();
        pool.add(before);

        Run run = pool.run(2, 20, 29, RecordState.AVAILABLE, 0);

        assertThat(run).isSameAs(before);
        assertThat(run).usingRecursiveComparison().isEqualTo(new Run(2, 20, 29, RecordState.AVAILABLE, 0));
    }

    @Test
    void aRowThatIsUsedAgainIsLikeANewOne() {
        RowRuns before = new RowRuns();
        before.topicId = new Uuid(1, 2);
        before.append(ended());
        before.await(new NoWaiter(), 7, true);
        before.remove(0, 1);
        before.wake();
        pool.add(before);

        RowRuns row = pool.row();

        assertThat(row).isSameAs(before);
        assertThat(row).usingRecursiveComparison().ignoringFields("waiterSlot").isEqualTo(new RowRuns());
    }

    @Test
    void aRowThatHadManyRunsIsNotKept() {
        RowRuns large = new RowRuns();
        for (int i = 0; i < 3; i++) {
            large.append(ended());
        }
        large.remove(0, 3);
        pool.add(large);

        assertThat(pool.row()).isNotSameAs(large);
    }

    @Test
    void allPoolsTogetherHaveALimit() {
        ShareMemory small = new ShareMemory(8L * SOME * (Run.HEAP_BYTES + RowRuns.HEAP_BYTES));
        RunPool other = new RunPool(small);
        Run run = ended();
        other.add(run);

        assertThat(other.run(1, 0, 0, RecordState.AVAILABLE, 0)).isNotSameAs(run);
    }

    @Test
    void whatIsClearedMakesRoomForOthers() {
        for (int group = 0; group < SOME; group++) {
            RunPool one = new RunPool(memory);
            Run run = ended();
            one.add(run);
            assertThat(one.run(1, 0, 0, RecordState.AVAILABLE, 0)).isSameAs(run);
            one.clear();
        }
    }

    @Test
    void oneHasALimitToo() {
        RunPool one = new RunPool(new ShareMemory(Long.MAX_VALUE));
        Set<Run> added = Collections.newSetFromMap(new IdentityHashMap<>());
        for (int i = 0; i < 100 * SOME; i++) {
            Run run = ended();
            added.add(run);
            one.add(run);
        }
        int again = 0;
        while (added.contains(one.run(1, 0, 0, RecordState.AVAILABLE, 0))) {
            again++;
        }

        assertThat(again).isEqualTo(64 << 10);
    }
}
