package io.rivulet.store.block.merge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rivulet.store.block.format.BlockFileFooter;
import io.rivulet.store.block.format.BlockFileId;
import io.rivulet.store.block.format.BlockFileLayout;
import io.rivulet.store.block.format.Supersession;
import io.rivulet.store.block.read.BlockFile;
import io.rivulet.store.block.read.BlockFixture;
import io.rivulet.store.block.read.BlockModel;
import io.rivulet.store.block.read.BlockRead;
import io.rivulet.store.block.read.BlockReadException;
import io.rivulet.store.block.read.BlockSnapshot;
import io.rivulet.store.block.read.QueueView;
import io.rivulet.store.block.write.BlockFileLimits;
import io.rivulet.store.cache.PageClass;
import io.rivulet.store.io.FaultyDisk.Op;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** After a merge every queue reads as before, except records that were deleted. */
class BlockMergerTest {
    private static final MergePolicy POLICY = new MergePolicy(2, 2, 4, 1 << 20);
    private static final MergeSettings SETTINGS = new MergeSettings(new BlockFileLimits(8000, 90_000, 500), 20_000, 0);

    private final Map<Integer, Long> startOffsets = new HashMap<>();

    private long startOffset(int queueId) {
        return startOffsets.getOrDefault(queueId, 0L);
    }

    @Property(tries = 40)
    void mergedFilesReadLikeTheModel(@ForAll long seed) throws IOException {
        try (BlockFixture fixture = new BlockFixture()) {
            BlockModel model = new BlockModel(seed);
            fixture.fill(model, 4, 30);
            trimAndDeleteSome(model);
            while (mergeOnce(fixture, model, POLICY, SETTINGS) > 0) {
                everyQueueReadsLikeTheModel(fixture, model);
            }
            assertThat(fixture.files.files())
                    .allSatisfy(file -> assertThat(file.footer().level()).isEqualTo(2));
            deletedQueuesAreGone(fixture);
            blocksBeforeTheStartAreGone(fixture);
        }
    }

    @Property(tries = 25)
    void referencesToOldGroupsAreInlinedAndTheLogIsTrimmed(@ForAll long seed) throws IOException {
        try (BlockFixture fixture = new BlockFixture()) {
            BlockModel model = new BlockModel(seed);
            fixture.fill(model, 2, 20);
            long inlineBelow = 1000L + model.log.size() / 2;

            mergeOnce(fixture, model, POLICY, new MergeSettings(SETTINGS.limits(), 20_000, inlineBelow));

            model.log.keySet().removeIf(lsn -> lsn < inlineBelow);
            model.queues
                    .values()
                    .forEach(recs -> recs.replaceAll(rec -> rec.lsn() < inlineBelow ? rec.inlined() : rec));
            everyQueueReadsLikeTheModel(fixture, model);
            assertThat(fixture.files.files())
                    .allSatisfy(file -> assertThat(file.footer().lowestLsn()).isGreaterThanOrEqualTo(inlineBelow));
        }
    }

    /** A merge that was interrupted during an output continues after the finished outputs. */
    @Property(tries = 25)
    void anInterruptedMergeIsResumedAndWritesNothingTwice(@ForAll long seed) throws IOException {
        try (BlockFixture fixture = new BlockFixture()) {
            BlockModel model = new BlockModel(seed);
            fixture.fill(model, 2, 40);
            MergeSettings tiny = new MergeSettings(new BlockFileLimits(8000, 10_000, 500), 5000, 0);
            long inputOffsets = offsets(fixture);
            try (BlockMerger merger = merger(fixture, model, plan(fixture, POLICY), tiny)) {
                step(fixture, merger);
                merger.step();
            }
            fixture.deleteUnknownFiles(numbers(fixture));
            everyQueueReadsLikeTheModel(fixture, model);

            mergeOnce(fixture, model, POLICY, tiny);

            everyQueueReadsLikeTheModel(fixture, model);
            assertThat(offsets(fixture)).isEqualTo(inputOffsets);
            assertThat(fixture.crashDisk.list()).hasSameSizeAs(fixture.files.files());
        }
    }

    @Test
    void aSnapshotKeepsAFileThatAMergeReplaces() throws IOException {
        try (BlockFixture fixture = new BlockFixture()) {
            BlockModel model = new BlockModel(3);
            fixture.fill(model, 2, 10);
            BlockFile oldest = fixture.files.files().get(0);
            int queueId = oldest.footer().minQueueId();
            try (BlockSnapshot reader = fixture.files.snapshot()) {
                BlockSnapshot.Placed first = reader.blocksOf(queueId).get(0);

                mergeOnce(fixture, model, POLICY, SETTINGS);

                assertThat(fixture.crashDisk.exists(oldest.name())).isTrue();
                reader.read(first, ByteBuffer.allocate(first.block().streamBytes()));
            }
            assertThat(fixture.crashDisk.exists(oldest.name())).isFalse();
        }
    }

    @Test
    void aDamagedInputStopsItsMergeAndThePolicyAvoidsIt() throws IOException {
        try (BlockFixture fixture = new BlockFixture()) {
            BlockModel model = new BlockModel(4);
            fixture.fill(model, 4, 10);
            BlockFile damaged = fixture.files.files().get(0);
            fixture.crashDisk.flipBit(damaged.name(), 200, 3);

            assertThatThrownBy(() -> mergeOnce(fixture, model, POLICY, SETTINGS))
                    .isInstanceOf(BlockReadException.class)
                    .hasMessageContaining(damaged.name());
            List<BlockFileFooter> footers = footers(fixture);
            MergePlan around =
                    POLICY.plan(footers, 9, Set.of(damaged.fileNumber())).orElseThrow();
            assertThat(around.firstCycle()).isGreaterThan(damaged.footer().lastCycle());
            assertThat(fixture.crashDisk.list()).noneMatch(BlockFileId::isUnfinishedName);
        }
    }

    @Property(tries = 60)
    void noAlteredByteGetsThroughAMerge(@ForAll long seed) throws IOException {
        try (BlockFixture fixture = new BlockFixture()) {
            BlockModel model = new BlockModel(seed);
            fixture.fill(model, 2, 10);
            BlockFile input = fixture.files.files().get(0);
            long address = model.random.nextLong(
                    BlockFileLayout.HEADER_BYTES, input.footer().directoryStart());
            fixture.crashDisk.flipBit(input.name(), address, model.random.nextInt(8));
            try {
                mergeOnce(fixture, model, POLICY, SETTINGS);
            } catch (BlockReadException e) {
                assertThat(e).hasMessageContaining(input.name());
                return;
            }
            everyQueueReadsLikeTheModel(fixture, model);
        }
    }

    @Test
    void aPayloadThatTheLogHasAlteredIsNotInlined() throws IOException {
        try (BlockFixture fixture = new BlockFixture()) {
            BlockModel model = new BlockModel(5);
            fixture.fill(model, 2, 40);
            model.log.values().forEach(payload -> payload.put(0, (byte) ~payload.get(0)));
            MergeSettings inlineAll = new MergeSettings(SETTINGS.limits(), 20_000, Long.MAX_VALUE);
            assertThatThrownBy(() -> mergeOnce(fixture, model, POLICY, inlineAll))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("the log's group");
        }
    }

    @Test
    void aFailedWriteLeavesInputsAndEarlierOutputs() throws IOException {
        try (BlockFixture fixture = new BlockFixture()) {
            BlockModel model = new BlockModel(5);
            fixture.fill(model, 2, 40);
            MergeSettings tiny = new MergeSettings(new BlockFileLimits(8000, 10_000, 500), 5000, 0);
            fixture.disk.failNth(Op.FORCE, 2);

            assertThatThrownBy(() -> mergeOnce(fixture, model, POLICY, tiny)).isInstanceOf(IOException.class);

            everyQueueReadsLikeTheModel(fixture, model);
            mergeOnce(fixture, model, POLICY, tiny);
            everyQueueReadsLikeTheModel(fixture, model);
        }
    }

    @Test
    void whenAllQueuesAreDeletedNothingIsLeft() throws IOException {
        try (BlockFixture fixture = new BlockFixture()) {
            BlockModel model = new BlockModel(6);
            fixture.fill(model, 2, 10);
            model.queues.keySet().forEach(queueId -> startOffsets.put(queueId, QueueView.DELETED));

            mergeOnce(fixture, model, POLICY, SETTINGS);
            assertThat(fixture.files.files()).hasSize(1);
            fixture.files.remove(fixture.files.dead(this::startOffset));

            assertThat(fixture.crashDisk.list()).isEmpty();
        }
    }

    /** Tests the checker: it detects a merge that loses one record. */
    @Test
    void theCheckerFindsALostRecord() throws IOException {
        try (BlockFixture fixture = new BlockFixture()) {
            BlockModel model = new BlockModel(7);
            fixture.fill(model, 2, 10);
            mergeOnce(fixture, model, POLICY, SETTINGS);
            model.queues
                    .values()
                    .iterator()
                    .next()
                    .add(new BlockModel(1).append(999, 1, 10).get(0));
            assertThatThrownBy(() -> everyQueueReadsLikeTheModel(fixture, model))
                    .isInstanceOf(AssertionError.class);
        }
    }

    /**
     * Tests the checker: it detects offsets that are missing because the queue view wrongly reports them as trimmed.
     */
    @Test
    void theCheckerFindsABlockThatIsDroppedTooEarly() throws IOException {
        try (BlockFixture fixture = new BlockFixture()) {
            BlockModel model = new BlockModel(8);
            fixture.fill(model, 2, 10);
            model.queues.forEach((queueId, recs) -> startOffsets.put(queueId, model.endOffset(queueId)));
            mergeOnce(fixture, model, POLICY, SETTINGS);
            startOffsets.clear();
            assertThatThrownBy(() -> everyQueueReadsLikeTheModel(fixture, model))
                    .isInstanceOf(AssertionError.class);
        }
    }

    private void trimAndDeleteSome(BlockModel model) {
        for (int queueId : model.queues.keySet()) {
            switch (model.random.nextInt(4)) {
                case 0 -> startOffsets.put(queueId, QueueView.DELETED);
                case 1 -> startOffsets.put(queueId, model.random.nextLong(model.endOffset(queueId) + 1));
                default -> {}
            }
        }
    }

    private void everyQueueReadsLikeTheModel(BlockFixture fixture, BlockModel model) throws IOException {
        for (int queueId : model.queues.keySet()) {
            long start = startOffset(queueId);
            if (start < model.endOffset(queueId)) {
                fixture.requireSameAs(model, queueId, start);
            }
        }
    }

    private void deletedQueuesAreGone(BlockFixture fixture) throws IOException {
        for (Map.Entry<Integer, Long> start : startOffsets.entrySet()) {
            if (start.getValue() == QueueView.DELETED) {
                BlockRead read = fixture.reader().read(start.getKey(), 0, ByteBuffer.allocate(100), PageClass.SCAN);
                assertThat(read.outcome()).isEqualTo(BlockRead.Outcome.NOTHING);
            }
        }
    }

    private void blocksBeforeTheStartAreGone(BlockFixture fixture) throws IOException {
        try (BlockSnapshot snapshot = fixture.files.snapshot()) {
            for (Map.Entry<Integer, Long> start : startOffsets.entrySet()) {
                assertThat(snapshot.blocksOf(start.getKey()))
                        .allSatisfy(
                                placed -> assertThat(placed.block().endOffset()).isGreaterThan(start.getValue()));
            }
        }
    }

    /** This also holds while the inputs still exist: the log that they refer to may already be trimmed. */
    private static void whatIsCoveredIsReadFromTheOutput(BlockFixture fixture, BlockFileFooter output)
            throws IOException {
        try (BlockSnapshot snapshot = fixture.files.snapshot()) {
            for (int queueId = output.minQueueId(); queueId <= output.maxQueueId(); queueId++) {
                assertThat(snapshot.blocksOf(queueId))
                        .noneMatch(placed ->
                                Supersession.takesPlaceOf(output, placed.file().footer()));
            }
        }
    }

    private static List<BlockFileFooter> footers(BlockFixture fixture) {
        return fixture.files.files().stream().map(BlockFile::footer).toList();
    }

    private static Set<Long> numbers(BlockFixture fixture) {
        return fixture.files.files().stream().map(BlockFile::fileNumber).collect(Collectors.toSet());
    }

    private static long offsets(BlockFixture fixture) {
        return footers(fixture).stream().mapToLong(BlockFileFooter::offsetCount).sum();
    }

    private static MergePlan plan(BlockFixture fixture, MergePolicy policy) {
        return policy.plan(footers(fixture), 9, Set.of()).orElseThrow();
    }

    private BlockMerger merger(BlockFixture fixture, BlockModel model, MergePlan plan, MergeSettings settings) {
        return new BlockMerger(
                fixture.disk,
                fixture.files,
                plan,
                settings,
                this::startOffset,
                model::readLog,
                fixture.fileNumbers::getAndIncrement,
                new MergeBuffers());
    }

    /** What the owner does after each step; true while there is more. */
    private static boolean step(BlockFixture fixture, BlockMerger merger) throws IOException {
        BlockMerger.Progress progress = merger.step();
        if (progress == BlockMerger.Progress.OUTPUT) {
            BlockFile output = BlockFile.open(fixture.disk, merger.output(), fixture.cache);
            fixture.files.add(output);
            whatIsCoveredIsReadFromTheOutput(fixture, output.footer());
            fixture.files.remove(fixture.files.superseded());
        }
        return progress != BlockMerger.Progress.DONE;
    }

    /** The set, the file that is being written, and for each cycle the file that is being read. */
    private static void noMoreThanWhatIsNeededIsOnTheDisk(BlockFixture fixture, MergePlan plan) {
        long cycles = plan.lastCycle() - plan.firstCycle() + 1;
        assertThat((long) fixture.crashDisk.list().size())
                .isLessThanOrEqualTo(fixture.files.files().size() + 1 + cycles);
    }

    /** The number of merges that were needed: one or none. */
    private int mergeOnce(BlockFixture fixture, BlockModel model, MergePolicy policy, MergeSettings settings)
            throws IOException {
        List<BlockFileFooter> before = footers(fixture);
        List<MergePlan> plan = new ArrayList<>();
        policy.plan(before, 9, Set.of()).ifPresent(plan::add);
        for (MergePlan one : plan) {
            try (BlockMerger merger = merger(fixture, model, one, settings)) {
                while (step(fixture, merger)) {
                    fixture.requireBalanced();
                    noMoreThanWhatIsNeededIsOnTheDisk(fixture, one);
                }
            }
        }
        return plan.size();
    }
}
