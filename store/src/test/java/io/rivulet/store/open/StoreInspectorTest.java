package io.rivulet.store.open;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rivulet.store.inspect.StoreInspector;
import io.rivulet.store.inspect.StoreInspector.Verdict;
import io.rivulet.store.io.CrashDisk;
import io.rivulet.store.io.ReadOnlyDisk;
import io.rivulet.store.log.LogService;
import io.rivulet.store.log.local.LocalLogConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an inspection reports of intact and damaged stores. */
final class StoreInspectorTest {
    private static final StoreConfig CONFIG = StoreConfig.DEFAULT
            .withLog(LocalLogConfig.DEFAULT.withGroups(4, 128 << 10).withSegmentBytes(256 << 10))
            .withMemory(1 << 20, 1 << 20);

    private final CrashDisk disk = new CrashDisk();
    private final List<String> lines = new ArrayList<>();
    private String blockFile = "";

    private void fill() throws Exception {
        StoreModel model = new StoreModel(3);
        try (LocalStore store =
                LocalStore.open(CONFIG, new StoreEnvironment(disk, new StepWorkers(), () -> 1_700_000_000_000L))) {
            StoreDriver driver = new StoreDriver(store);
            model.createQueues(driver, 30, 0);
            model.appendToSome(driver, 1, 300);
            model.append(driver, 4, 1, 9, 33_000);
            driver.sweepEverything();
            model.appendToSome(driver, 0.5, 300);
            blockFile = store.registry().files().files().get(0).name();
        }
    }

    private Verdict inspect(boolean verify) throws IOException {
        lines.clear();
        return StoreInspector.inspect(disk, verify, lines::add);
    }

    private String text() {
        return String.join("\n", lines);
    }

    @Test
    void anIntactStoreIsDescribedCompletely() throws Exception {
        fill();

        assertThat(inspect(true).isSound()).isTrue();

        assertThat(text())
                .contains("closed in good order", "segment ", "1 block files", "queues-", "30 queues", blockFile)
                .contains("level 1, cycles 1 to 1", "refers to 33,000 bytes of the log")
                .endsWith("verdict: sound");
    }

    @Test
    void aStoreWhoseLogIsInAClusterIsRefusedWithTheReason() throws Exception {
        disk.directory(LogService.FOLDER).create("manifest.snapshot").close();

        assertThatThrownBy(() -> inspect(true))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is in a cluster (there is the folder cluster)")
                .hasMessageContaining("the id of the store")
                .hasMessageContaining("inspect and --repair read the directory alone");
        assertThat(lines).isEmpty();
    }

    @Test
    void nothingIsChanged() throws Exception {
        fill();
        int before = disk.traceLength();
        inspect(true);
        assertThat(disk.traceLength()).isEqualTo(before);
    }

    @Test
    void aStoreIsIntactAfterAPowerCut() throws Exception {
        fill();
        for (int moment = disk.traceLength() / 2; moment < disk.traceLength(); moment++) {
            lines.clear();
            CrashDisk cut = disk.afterPowerCut(moment, moment);
            assertThat(StoreInspector.inspect(cut, true, lines::add).problems())
                    .as("at moment %d: %s", moment, text())
                    .isZero();
        }
    }

    @Test
    void anAlteredBlockIsFoundWhenBlocksAreRead() throws Exception {
        fill();
        disk.flipBit("blocks/" + blockFile, 4096 + 50, 1);

        assertThat(inspect(false).isSound()).isTrue();
        assertThat(text()).contains("--verify");

        assertThat(inspect(true).problems()).isEqualTo(1);
        assertThat(text())
                .contains("DAMAGED blocks/" + blockFile + " at byte ")
                .contains("verdict: damaged, 1 problem");
    }

    @Test
    void anAlteredFooterIsFound() throws Exception {
        fill();
        disk.flipBit("blocks/" + blockFile, disk.content("blocks/" + blockFile).length - 20, 1);

        assertThat(inspect(false).isSound()).isFalse();
        assertThat(text()).contains("checksum of the footer");
    }

    @Test
    void aMissingBlockFileIsAProblemAndAnUnknownOneIsNot() throws Exception {
        fill();
        disk.rename("blocks/" + blockFile, "blocks/000000009999.blocks");

        assertThat(inspect(false).problems()).isEqualTo(1);
        assertThat(text())
                .contains("the manifest names it, and it is missing", "000000009999.blocks: not in the manifest");
    }

    @Test
    void aMissingManifestIsAProblemIfThereWasACheckpointOfAnEmptyLog() throws Exception {
        try (LocalStore store =
                LocalStore.open(CONFIG, new StoreEnvironment(disk, new StepWorkers(), () -> 1_700_000_000_000L))) {
            new StoreDriver(store).sweepEverything();
        }
        disk.rename("log/manifest.snapshot", "elsewhere");

        assertThat(inspect(false).problems()).as(text()).isEqualTo(1);
        assertThat(text()).contains("0 groups", "snapshot manifest: it is missing");
    }

    @Test
    void alteredSnapshotsAreFound() throws Exception {
        fill();
        disk.flipBit("log/queues-2.snapshot", 30, 1);
        assertThat(inspect(false).problems()).isEqualTo(1);
        disk.flipBit("log/manifest.snapshot", 30, 1);
        assertThat(inspect(false).isSound()).isFalse();
        assertThat(text()).contains("manifest.snapshot at byte 0: the snapshot is altered");
    }

    @Test
    void damageInTheLogIsFound() throws Exception {
        fill();
        String segment = disk.directory("log").list().stream()
                .filter(name -> name.endsWith(".segment"))
                .findFirst()
                .orElseThrow();
        disk.flipBit("log/" + segment, 4096 + 100, 1);

        assertThat(inspect(false).isSound()).isFalse();
        assertThat(text()).contains("DAMAGED log/" + segment + " at byte 4160");
    }

    @Test
    void aStoreInUseIsRefusedAndADirectoryIsLeftAsItIs(@TempDir Path directory) throws Exception {
        assertThatThrownBy(() -> StoreInspector.inspect(new ReadOnlyDisk(directory), false, lines::add))
                .isInstanceOf(IOException.class);
        assertThat(directory).isEmptyDirectory();
        try (LocalStore store = LocalStore.open(CONFIG, StoreEnvironment.local(directory))) {
            assertThat(store.failure()).isNull();
            assertThatThrownBy(() -> StoreInspector.inspect(new ReadOnlyDisk(directory), false, lines::add))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("in use");
        }
        assertThat(StoreInspector.inspect(new ReadOnlyDisk(directory), true, lines::add)
                        .isSound())
                .isTrue();
    }
}
