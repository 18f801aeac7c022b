package io.rivulet.store.block.merge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rivulet.store.block.format.BlockFileFooter;
import io.rivulet.store.block.read.BlockFile;
import io.rivulet.store.block.read.BlockFixture;
import io.rivulet.store.block.read.BlockModel;
import io.rivulet.store.block.write.BlockFileLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Decides from footers alone which generations are merged when. */
class MergePolicyTest {
    private static final int SMALL = 500;
    private static final int LARGE = 60_000;
    private static final int ALL = Integer.MAX_VALUE;

    private final MergePolicy policy = new MergePolicy(3, 2, 4, 32 << 10);
    private final List<BlockFileFooter> files = new ArrayList<>();
    private long nextNumber = 1;

    private BlockFileFooter file(int level, long firstCycle, long lastCycle, int from, int to, int blockBytes) {
        BlockFileFooter file = new BlockFileFooter(
                1,
                nextNumber++,
                level,
                firstCycle,
                lastCycle,
                from,
                to,
                from,
                Math.min(to, 1000),
                10,
                100,
                100,
                0,
                0,
                0,
                BlockFileFooter.NO_REFERENCE,
                1,
                1,
                0,
                100L * blockBytes,
                0);
        files.add(file);
        return file;
    }

    /** Two files, as the sweep writes them. */
    private void cycle(long cycle, int blockBytes) {
        file(1, cycle, cycle, 0, 500, blockBytes);
        file(1, cycle, cycle, 501, 1000, blockBytes);
    }

    @Test
    void nothingIsMergedBeforeARowIsFull() {
        cycle(1, SMALL);
        cycle(2, SMALL);
        assertThat(policy.plan(files, 3, Set.of())).isEmpty();
    }

    @Test
    void theCycleThatIsStillSweptDoesNotCount() {
        cycle(1, SMALL);
        cycle(2, SMALL);
        cycle(3, SMALL);
        assertThat(policy.plan(files, 3, Set.of())).isEmpty();
        assertThat(policy.plan(files, 4, Set.of())).contains(new MergePlan(2, 1, 3, 0, Set.of(1L, 2L, 3L, 4L, 5L, 6L)));
    }

    @Test
    void theOldestRowGoesFirst() {
        for (int cycle = 1; cycle <= 7; cycle++) {
            cycle(cycle, SMALL);
        }
        assertThat(policy.plan(files, 8, Set.of()).orElseThrow().lastCycle()).isEqualTo(3);
    }

    /** Its cycle would be between those of the merged file, so it would count as replaced. */
    @Test
    void aGenerationOfLargeBlocksBreaksTheRow() {
        cycle(1, SMALL);
        cycle(2, LARGE);
        cycle(3, SMALL);
        cycle(4, SMALL);
        assertThat(policy.plan(files, 5, Set.of())).isEmpty();
        cycle(5, SMALL);
        assertThat(policy.plan(files, 6, Set.of()).orElseThrow().firstCycle()).isEqualTo(3);
    }

    @Test
    void whatIsLeftBeforeABreakIsMergedAsItIs() {
        cycle(1, SMALL);
        cycle(2, SMALL);
        cycle(3, LARGE);
        MergePlan plan = policy.plan(files, 4, Set.of()).orElseThrow();
        assertThat(plan.firstCycle()).isEqualTo(1);
        assertThat(plan.lastCycle()).isEqualTo(2);
    }

    @Test
    void aDamagedFileBreaksTheRow() {
        cycle(1, SMALL);
        BlockFileFooter damaged = file(1, 2, 2, 0, 1000, SMALL);
        cycle(3, SMALL);
        cycle(4, SMALL);
        cycle(5, SMALL);
        MergePlan plan = policy.plan(files, 6, Set.of(damaged.fileNumber())).orElseThrow();
        assertThat(plan.firstCycle()).isEqualTo(3);
        assertThat(plan.inputs()).doesNotContain(damaged.fileNumber());
    }

    @Test
    void anInterruptedMergeContinuesAfterItsOutputs() {
        cycle(1, SMALL);
        cycle(2, SMALL);
        cycle(3, SMALL);
        file(2, 1, 3, 0, 600, SMALL);
        assertThat(policy.plan(files, 9, Set.of())).contains(new MergePlan(2, 1, 3, 601, Set.of(2L, 4L, 6L)));
    }

    @Test
    void aFinishedMergeIsDoneEvenIfItsInputsAreStillThere() {
        cycle(1, SMALL);
        cycle(2, SMALL);
        cycle(3, SMALL);
        file(2, 1, 3, 0, 600, SMALL);
        file(2, 1, 3, 601, ALL, SMALL);
        assertThat(policy.plan(files, 9, Set.of())).isEmpty();
    }

    @Test
    void mergedOnceMeansOnceUnlessMoreLevelsAreAllowed() {
        for (int row = 0; row < 3; row++) {
            file(2, 3 * row + 1, 3 * row + 3, 0, ALL, SMALL);
        }
        cycle(10, SMALL);
        assertThat(policy.plan(files, 11, Set.of())).isEmpty();
        MergePolicy twice = new MergePolicy(3, 3, 4, 32 << 10);
        assertThat(twice.plan(files, 11, Set.of())).contains(new MergePlan(3, 1, 9, 0, Set.of(1L, 2L, 3L)));
    }

    @Test
    void inliningTakesTheOldestGenerationThatPinsTheLog() {
        cycle(1, SMALL);
        files.add(referring(2, 1, 50));
        files.add(referring(3, 1, 70));
        assertThat(policy.planInlining(files, 9, 60)).contains(new MergePlan(2, 2, 2, 0, Set.of(3L)));
        assertThat(policy.planInlining(files, 9, 50)).isEmpty();
        assertThat(policy.planInlining(files, 2, 60)).isEmpty();
    }

    /** Otherwise its files would replace the whole, without the rest. */
    @Test
    void inliningLeavesAnUnfinishedMergeAlone() {
        cycle(1, SMALL);
        files.add(referring(1, 2, 50));
        assertThat(policy.planInlining(files, 9, 60)).isEmpty();
    }

    private BlockFileFooter referring(long cycle, int level, long lowestLsn) {
        return new BlockFileFooter(
                1,
                nextNumber++,
                level,
                cycle,
                cycle,
                0,
                500,
                0,
                500,
                10,
                100,
                100,
                0,
                0,
                0,
                lowestLsn,
                1,
                1,
                0,
                1000,
                0);
    }

    @Test
    void debtIsCountedAndBounded() {
        for (int cycle = 1; cycle <= 5; cycle++) {
            cycle(cycle, SMALL);
        }
        MergePolicy.MergeDebt debt = policy.debt(files, 5, Set.of());
        assertThat(debt).isEqualTo(new MergePolicy.MergeDebt(4, 4 * 2 * 100L * SMALL, false));
        assertThat(policy.debt(files, 6, Set.of()).overdue()).isTrue();
    }

    @Test
    void aPlanThatWouldSupersedeUnmergedFilesIsRefused() throws Exception {
        try (BlockFixture fixture = new BlockFixture()) {
            fixture.fill(new BlockModel(1), 3, 10);
            List<BlockFile> all = fixture.files.files();
            MergePlan holed = new MergePlan(
                    2,
                    1,
                    3,
                    0,
                    Set.of(all.get(0).fileNumber(), all.get(all.size() - 1).fileNumber()));
            assertThatThrownBy(() -> new BlockMerger(
                            fixture.disk,
                            fixture.files,
                            holed,
                            new MergeSettings(BlockFileLimits.MERGE, 4 << 20, 0),
                            queueId -> 0,
                            (lsn, at, length, target) -> {},
                            () -> 99,
                            new MergeBuffers()))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }
}
