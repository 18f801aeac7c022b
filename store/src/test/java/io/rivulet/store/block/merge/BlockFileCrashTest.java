package io.rivulet.store.block.merge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rivulet.store.block.format.BlockFileFooter;
import io.rivulet.store.block.format.BlockFileId;
import io.rivulet.store.block.format.BlockFileOrigin;
import io.rivulet.store.block.read.BlockFile;
import io.rivulet.store.block.read.BlockFiles;
import io.rivulet.store.block.read.BlockFixture;
import io.rivulet.store.block.read.BlockModel;
import io.rivulet.store.block.write.BlockFileLimits;
import io.rivulet.store.block.write.BlockFileWriter;
import io.rivulet.store.io.CrashDisk;
import io.rivulet.store.io.FaultyDisk.Op;
import io.rivulet.store.io.ShortageException;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A file with its final name is complete after any power cut and after any error of the disk. */
class BlockFileCrashTest {
    private static final BlockFileId ID = new BlockFileId(BlockFixture.STORE_ID, 1);
    private final BlockModel model = new BlockModel(21);

    private BlockFileWriter written(BlockFixture fixture) throws IOException {
        BlockFileWriter writer = BlockFileWriter.create(
                fixture.disk, BlockFileOrigin.ofSweep(ID, 1, 0), BlockFixture.SMALL, fixture.buffers);
        for (int queueId = 0; queueId < 4; queueId++) {
            writer.append(queueId, 0, BlockModel.stream(model.append(queueId, 10, 200)));
        }
        return writer;
    }

    @Test
    void afterAPowerCutAtAnyMomentTheFileIsCompleteOrUnderItsOtherName() throws IOException {
        BlockFixture fixture = new BlockFixture();
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
        BlockFixture after = new BlockFixture(found, 8);
        after.files = BlockFiles.open(found, List.of(ID), after.cache);
        for (int queueId : model.queues.keySet()) {
            after.requireSameAs(model, queueId, 0);
        }
        after.close();
    }

    @ParameterizedTest
    @EnumSource(
            value = Op.class,
            names = {"WRITE", "FORCE", "RENAME", "SYNC_DIRECTORY"})
    void aFileThatCannotBeFinishedIsAbandonedWithoutATrace(Op op) throws IOException {
        BlockFixture fixture = new BlockFixture();
        BlockFileWriter writer = written(fixture);
        fixture.disk.failNth(op, 1);

        assertThatThrownBy(() -> writer.finish(3)).isInstanceOf(IOException.class);
        writer.abandon();

        assertThat(fixture.crashDisk.list()).isEmpty();
    }

    @Test
    void aFullDiskIsReportedAsAShortage() throws IOException {
        BlockFixture fixture = new BlockFixture();
        BlockFileWriter writer = written(fixture);
        fixture.disk.fullAtNthWrite(1, 100);

        assertThatThrownBy(() -> writer.finish(3)).isInstanceOf(ShortageException.class);
        writer.abandon();
        assertThat(fixture.crashDisk.list()).isEmpty();
    }

    /** A crash at any moment between the outputs of a merge and their manifests leaves a set that reads the same. */
    @Test
    void aCrashBetweenTheStepsOfAMergeLeavesASetThatReadsTheSame() throws IOException {
        BlockFixture fixture = new BlockFixture();
        fixture.fill(model, 2, 20);
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

    private void everyMixOfOldAndNewReadsTheSame(BlockFixture fixture, BlockFileId output) throws IOException {
        // The manifest without the output; with the output and all inputs; with the output and without replaced inputs.
        readsTheSame(fixture);
        fixture.files.add(BlockFile.open(fixture.disk, output, fixture.cache));
        readsTheSame(fixture);
        fixture.files.remove(fixture.files.superseded());
        readsTheSame(fixture);
    }

    private void readsTheSame(BlockFixture fixture) throws IOException {
        List<BlockFileId> manifest =
                fixture.files.files().stream().map(file -> file.footer().id()).toList();
        BlockFixture after = new BlockFixture(fixture.crashDisk.afterPowerCut(fixture.crashDisk.traceLength(), 5), 32);
        after.files = BlockFiles.open(after.disk, manifest, after.cache);
        for (int queueId : model.queues.keySet()) {
            after.requireSameAs(model, queueId, 0);
        }
        after.close();
    }
}
