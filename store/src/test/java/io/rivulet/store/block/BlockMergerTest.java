package io.rivulet.store.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rivulet.store.cache.PageClass;
import io.rivulet.store.io.FaultyDisk.Op;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** After a merge every queue reads as before it, but for what nobody may read any more. */
class BlockMergerTest {
    private static final MergePolicy POLICY = new MergePolicy(2, 2, 4, 1 << 20);
    private static final MergeSettings SETTINGS = new MergeSettings(new BlockFileLimits(8000, 90_000, 500), 20_000, 0);

    private final Map<Integer, Long> startOffsets = new HashMap<>();

    private long startOffset(int queueId) {
        return startOffsets.getOrDefault(queueId, 0L);
    }

    @Property(tries = 40)
    void mergedFilesReadLikeTheModel(@ForAll long seed) throws IOException {
        try (Fixture fixture = new Fixture()) {
            Model model = new Model(seed);
            BlockFilesPropertyTest.fill(fixture, model, 4, 30);
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
    void referencesToOldGroupsAreInlinedAndTheLogIsFree(@ForAll long seed) throws IOException {
        try (Fixture fixture = new Fixture()) {
            Model model = new Model(seed);
            BlockFilesPropertyTest.fill(fixture, model, 2, 20);
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

    /** A merge that dies after some outputs, in the middle of another, goes on where the outputs end. */
    @Property(tries = 25)
    void aMergeCutShortIsResumedWithoutWritingAnythingTwice(@ForAll long seed) throws IOException {
        try (Fixture fixture = new Fixture()) {
            Model model = new Model(seed);
            BlockFilesPropertyTest.fill(fixture, model, 2, 40);
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
    void aReaderInTheMiddleOfAFileKeepsItWhileTheMergeTakesItsPlace() throws IOException {
        try (Fixture fixture = new Fixture()) {
            Model model = new Model(3);
            BlockFilesPropertyTest.fill(fixture, model, 2, 10);
            BlockFile oldest = fixture.files.files().get(0);
            int queueId = oldest.footer().minQueueId();
            FoundBlock found = Objects.requireNonNull(fixture.find(queueId, 0));

            mergeOnce(fixture, model, POLICY, SETTINGS);

            assertThat(fixture.crashDisk.exists(oldest.name())).isTrue();
            oldest.readBlock(found.block(), 0, PageClass.SCAN).close();
            found.close();
            assertThat(fixture.crashDisk.exists(oldest.name())).isFalse();
        }
    }

    @Test
    void aDamagedInputStopsItsMergeAndThePolicyGoesRoundIt() throws IOException {
        try (Fixture fixture = new Fixture()) {
            Model model = new Model(4);
            BlockFilesPropertyTest.fill(fixture, model, 4, 10);
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
        try (Fixture fixture = new Fixture()) {
            Model model = new Model(seed);
            BlockFilesPropertyTest.fill(fixture, model, 2, 10);
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
        try (Fixture fixture = new Fixture()) {
            Model model = new Model(5);
            BlockFilesPropertyTest.fill(fixture, model, 2, 40);
            model.log.values().forEach(payload -> payload.put(0, (byte) ~payload.get(0)));
            MergeSettings inlineAll = new MergeSettings(SETTINGS.limits(), 20_000, Long.MAX_VALUE);
            assertThatThrownBy(() -> mergeOnce(fixture, model, POLICY, inlineAll))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("the log's group");
        }
    }

    @Test
    void aFailedWriteLeavesInputsAndEarlierOutputs() throws IOException {
        try (Fixture fixture = new Fixture()) {
            Model model = new Model(5);
            BlockFilesPropertyTest.fill(fixture, model, 2, 40);
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
        try (Fixture fixture = new Fixture()) {
            Model model = new Model(6);
            BlockFilesPropertyTest.fill(fixture, model, 2, 10);
            model.queues.keySet().forEach(queueId -> startOffsets.put(queueId, QueueView.DELETED));

            mergeOnce(fixture, model, POLICY, SETTINGS);
            assertThat(fixture.files.files()).hasSize(1);
            fixture.files.remove(fixture.files.dead(this::startOffset));

            assertThat(fixture.crashDisk.list()).isEmpty();
        }
    }

    /** The checker, checked: a merge that loses one record is noticed. */
    @Test
    void aLostRecordWouldBeNoticed() throws IOException {
        try (Fixture fixture = new Fixture()) {
            Model model = new Model(7);
            BlockFilesPropertyTest.fill(fixture, model, 2, 10);
            mergeOnce(fixture, model, POLICY, SETTINGS);
            model.queues
                    .values()
                    .iterator()
                    .next()
                    .add(new Model(1).append(999, 1, 10).get(0));
            assertThatThrownBy(() -> everyQueueReadsLikeTheModel(fixture, model))
                    .isInstanceOf(AssertionError.class);
        }
    }

    /** The checker, checked: offsets that the queue view wrongly calls trimmed are missed. */
    @Test
    void aBlockDroppedTooEarlyWouldBeNoticed() throws IOException {
        try (Fixture fixture = new Fixture()) {
            Model model = new Model(8);
            BlockFilesPropertyTest.fill(fixture, model, 2, 10);
            model.queues.forEach((queueId, recs) -> startOffsets.put(queueId, model.endOffset(queueId)));
            mergeOnce(fixture, model, POLICY, SETTINGS);
            startOffsets.clear();
            assertThatThrownBy(() -> everyQueueReadsLikeTheModel(fixture, model))
                    .isInstanceOf(AssertionError.class);
        }
    }

    private void trimAndDeleteSome(Model model) {
        for (int queueId : model.queues.keySet()) {
            switch (model.random.nextInt(4)) {
                case 0 -> startOffsets.put(queueId, QueueView.DELETED);
                case 1 -> startOffsets.put(queueId, model.random.nextLong(model.endOffset(queueId) + 1));
                default -> {}
            }
        }
    }

    private void everyQueueReadsLikeTheModel(Fixture fixture, Model model) throws IOException {
        for (int queueId : model.queues.keySet()) {
            long start = startOffset(queueId);
            if (start < model.endOffset(queueId)) {
                BlockFilesPropertyTest.readsLikeTheModel(fixture, model, queueId, start);
            }
        }
    }

    private void deletedQueuesAreGone(Fixture fixture) throws IOException {
        for (Map.Entry<Integer, Long> start : startOffsets.entrySet()) {
            if (start.getValue() == QueueView.DELETED) {
                BlockRead read = fixture.reader().read(start.getKey(), 0, ByteBuffer.allocate(100), PageClass.SCAN);
                assertThat(read.outcome()).isEqualTo(BlockRead.Outcome.NOTHING);
            }
        }
    }

    private void blocksBeforeTheStartAreGone(Fixture fixture) throws IOException {
        for (Map.Entry<Integer, Long> start : startOffsets.entrySet()) {
            try (FoundBlock found = fixture.find(start.getKey(), 0)) {
                if (found != null) {
                    assertThat(found.block().endOffset()).isGreaterThan(start.getValue());
                }
            }
        }
    }

    /** Also while inputs are still there: the log that they refer to may be trimmed already. */
    private static void whatIsCoveredIsReadFromTheOutput(Fixture fixture, BlockFileFooter output) throws IOException {
        for (int queueId = output.minQueueId(); queueId <= output.maxQueueId(); queueId++) {
            try (FoundBlock found = fixture.find(queueId, 0)) {
                if (found != null) {
                    assertThat(Supersession.takesPlaceOf(output, found.file().footer()))
                            .isFalse();
                }
            }
        }
    }

    private static List<BlockFileFooter> footers(Fixture fixture) {
        return fixture.files.files().stream().map(BlockFile::footer).toList();
    }

    private static Set<Long> numbers(Fixture fixture) {
        return fixture.files.files().stream().map(BlockFile::fileNumber).collect(Collectors.toSet());
    }

    private static long offsets(Fixture fixture) {
        return footers(fixture).stream().mapToLong(BlockFileFooter::offsetCount).sum();
    }

    private static MergePlan plan(Fixture fixture, MergePolicy policy) {
        return policy.plan(footers(fixture), 9, Set.of()).orElseThrow();
    }

    private BlockMerger merger(Fixture fixture, Model model, MergePlan plan, MergeSettings settings) {
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
    private static boolean step(Fixture fixture, BlockMerger merger) throws IOException {
        BlockMerger.Progress progress = merger.step();
        if (progress == BlockMerger.Progress.OUTPUT) {
            BlockFile output = BlockFile.open(fixture.disk, merger.output(), fixture.cache);
            fixture.files.add(output);
            whatIsCoveredIsReadFromTheOutput(fixture, output.footer());
            fixture.files.remove(fixture.files.superseded());
        }
        return progress != BlockMerger.Progress.DONE;
    }

    /** The set, the file being written, and of each cycle the file being read. */
    private static void noMoreThanWhatIsNeededIsOnTheDisk(Fixture fixture, MergePlan plan) {
        long cycles = plan.lastCycle() - plan.firstCycle() + 1;
        assertThat((long) fixture.crashDisk.list().size())
                .isLessThanOrEqualTo(fixture.files.files().size() + 1 + cycles);
    }

    /** How many merges there were to do: one or none. */
    private int mergeOnce(Fixture fixture, Model model, MergePolicy policy, MergeSettings settings) throws IOException {
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
