package io.rivulet.store.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rivulet.store.io.CrashDisk;
import io.rivulet.store.io.FaultyDisk.Op;
import io.rivulet.store.io.ShortageException;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A file under its final name is complete, whenever the power goes and whatever the disk refuses. */
class BlockFileCrashTest {
    private static final BlockFileId ID = new BlockFileId(Fixture.STORE_ID, 1);
    private final Model model = new Model(21);

    private BlockFileWriter written(Fixture fixture) throws IOException {
        BlockFileWriter writer =
                BlockFileWriter.create(fixture.disk, BlockFileOrigin.ofSweep(ID, 1, 0), Fixture.SMALL, fixture.buffers);
        for (int queueId = 0; queueId < 4; queueId++) {
            writer.append(queueId, 0, Model.stream(model.append(queueId, 10, 200)));
        }
        return writer;
    }

    @Test
    void afterAPowerCutAtAnyMomentTheFileIsCompleteOrUnderItsOtherName() throws IOException {
        Fixture fixture = new Fixture();
        written(fixture).finish(3);
        int finished = fixture.crashDisk.traceLength();
        int there = 0;
        for (int moment = 0; moment <= finished; moment++) {
            for (long seed = 0; seed < 40; seed++) {
                CrashDisk found = fixture.crashDisk.afterPowerCut(moment, seed);
                if (found.exists(ID.name())) {
                    there++;
                    readsWhole(found);
                }
                assertThat(found.exists(ID.name()) || moment < finished).isTrue();
            }
        }
        assertThat(there).isGreaterThan(40);
    }

    private void readsWhole(CrashDisk found) throws IOException {
        Fixture after = new Fixture(found, 8);
        after.files = BlockFiles.open(found, List.of(ID), after.cache);
        for (int queueId : model.queues.keySet()) {
            BlockFilesPropertyTest.readsLikeTheModel(after, model, queueId, 0);
        }
        after.close();
    }

    @ParameterizedTest
    @EnumSource(
            value = Op.class,
            names = {"WRITE", "FORCE", "RENAME", "SYNC_DIRECTORY"})
    void aFileThatCannotBeFinishedIsAbandonedWithoutATrace(Op op) throws IOException {
        Fixture fixture = new Fixture();
        BlockFileWriter writer = written(fixture);
        fixture.disk.failNth(op, 1);

        assertThatThrownBy(() -> writer.finish(3)).isInstanceOf(IOException.class);
        writer.abandon();

        assertThat(fixture.crashDisk.list()).isEmpty();
    }

    @Test
    void aFullDiskIsReportedAsSuch() throws IOException {
        Fixture fixture = new Fixture();
        BlockFileWriter writer = written(fixture);
        fixture.disk.fullAtNthWrite(1, 100);

        assertThatThrownBy(() -> writer.finish(3)).isInstanceOf(ShortageException.class);
        writer.abandon();
        assertThat(fixture.crashDisk.list()).isEmpty();
    }

    /** Between the outputs of a merge and the manifests that name them, any crash leaves a set that reads the same. */
    @Test
    void aCrashBetweenTheStepsOfAMergeLeavesASetThatReadsTheSame() throws IOException {
        Fixture fixture = new Fixture();
        BlockFilesPropertyTest.fill(fixture, model, 2, 20);
        MergePolicy policy = new MergePolicy(2, 2, 4, 1 << 20);
        List<BlockFileFooter> inputs =
                fixture.files.files().stream().map(BlockFile::footer).toList();
        MergeSettings settings = new MergeSettings(new BlockFileLimits(8000, 20_000, 500), 1 << 20, 0);
        try (BlockMerger merger = new BlockMerger(
                fixture.disk,
                fixture.files,
                policy.plan(inputs, 9, Set.of()).orElseThrow(),
                settings,
                queueId -> 0,
                model::readLog,
                fixture.fileNumbers::getAndIncrement,
                new MergeBuffers())) {
            while (merger.step() != BlockMerger.Progress.DONE) {
                everyMixOfOldAndNewReadsTheSame(fixture, merger.output());
            }
        }
    }

    private void everyMixOfOldAndNewReadsTheSame(Fixture fixture, BlockFileId output) throws IOException {
        // The manifest without the output; with the output and all inputs; with the output, superseded inputs gone.
        readsTheSame(fixture);
        fixture.files.add(BlockFile.open(fixture.disk, output, fixture.cache));
        readsTheSame(fixture);
        fixture.files.remove(fixture.files.superseded());
        readsTheSame(fixture);
    }

    private void readsTheSame(Fixture fixture) throws IOException {
        List<BlockFileId> manifest =
                fixture.files.files().stream().map(file -> file.footer().id()).toList();
        Fixture after = new Fixture(fixture.crashDisk.afterPowerCut(fixture.crashDisk.traceLength(), 5), 32);
        after.files = BlockFiles.open(after.disk, manifest, after.cache);
        for (int queueId : model.queues.keySet()) {
            BlockFilesPropertyTest.readsLikeTheModel(after, model, queueId, 0);
        }
        after.close();
    }
}
