package io.rivulet.cluster.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rivulet.cluster.fake.FakeEngine;
import io.rivulet.store.AppendRequest;
import io.rivulet.store.Outcome;
import io.rivulet.store.ReadStatus;
import io.rivulet.store.Store;
import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.failure.OwnerChangedException;
import io.rivulet.store.io.CrashDisk;
import io.rivulet.store.open.LocalStore;
import io.rivulet.store.open.StoreConfig;
import io.rivulet.store.open.StoreEnvironment;
import io.rivulet.store.thread.Workers;
import io.rivulet.store.time.StoreClock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which directory may open which log. */
@Timeout(300)
final class LedgerLogLocationTest {
    private final FakeEngine engine = FakeEngine.eager();
    private final CrashDisk disk = new CrashDisk();
    private final FailureLatch failures = new FailureLatch();

    private StoreEnvironment machine(CrashDisk root) {
        return new StoreEnvironment(root, Workers.threads(failures), StoreClock.system(0), failures);
    }

    private LocalStore open(CrashDisk root, String log) throws IOException {
        return open(root, log, LedgerLogConfig.DEFAULT);
    }

    private LocalStore open(CrashDisk root, String log, LedgerLogConfig config) throws IOException {
        LedgerLogLocation location = new LedgerLogLocation(engine.client(), log, root, config);
        return LocalStore.open(StoreConfig.DEFAULT, machine(root).withLog(location));
    }

    private static void createQueue(LocalStore store) throws Exception {
        int unused = store.createQueues(1, 0).toCompletableFuture().get(1, TimeUnit.MINUTES);
    }

    @Test
    void anotherDirectoryIsRefusedAndTheOwnerGoesOn() throws Exception {
        try (LocalStore owner = open(disk, "log")) {
            createQueue(owner);

            assertThatThrownBy(() -> open(new CrashDisk(), "log")).hasMessageContaining("another data directory");

            createQueue(owner);
            assertThat(owner.failure()).isNull();
        }
    }

    @Test
    void aSharedLogIsOpenedByAnyDirectory() throws Exception {
        LedgerLogConfig shared = LedgerLogConfig.DEFAULT.shared();
        CrashDisk second = new CrashDisk();
        try (LocalStore owner = open(disk, "log", shared)) {
            createQueue(owner);
        }
        try (LocalStore next = open(second, "log", shared)) {
            createQueue(next);
        }
        try (LocalStore again = open(disk, "log", shared)) {
            assertThat(again.liveQueues()).isEqualTo(2);
        }
    }

    @Test
    void aLogIsSharedFromTheBeginningOrNever() throws Exception {
        LedgerLogConfig shared = LedgerLogConfig.DEFAULT.shared();
        open(disk, "log").close();
        open(new CrashDisk(), "other", shared).close();

        assertThatThrownBy(() -> open(disk, "log", shared)).hasMessageContaining("one broker and its data directory");
        assertThatThrownBy(() -> open(new CrashDisk(), "other")).hasMessageContaining("brokers that take it over");
    }

    @Test
    void aSharedLogRefusesADirectoryOfAnotherOne() throws Exception {
        LedgerLogConfig shared = LedgerLogConfig.DEFAULT.shared();
        open(disk, "log", shared).close();
        open(new CrashDisk(), "other", shared).close();

        assertThatThrownBy(() -> open(disk, "other", shared)).hasMessageContaining("belongs to another log");
    }

    /** A directory that had it, and lost a part of what it had. */
    @Test
    void aDirectoryThatLostItsManifestIsRefused() throws Exception {
        LedgerLogConfig shared = LedgerLogConfig.DEFAULT.shared();
        try (LocalStore owner = open(disk, "log", shared)) {
            createQueue(owner);
            owner.sweepEverything().get(1, TimeUnit.MINUTES);
        }
        disk.directory("cluster").delete("manifest.snapshot");

        assertThatThrownBy(() -> open(disk, "log", shared)).hasMessageContaining("manifest.snapshot is missing");
    }

    /** The log has them as differences to a time that a directory does not choose. */
    @Test
    void timestampsMeanTheSameInEachDirectory() throws Exception {
        CrashDisk second = new CrashDisk();
        try (LocalStore owner = openAt(1_000_000, disk)) {
            createQueue(owner);
            append(owner, 1, 77);
        }
        try (LocalStore next = openAt(2_000_000, second)) {
            append(next, 1, 78);
            assertThat(timestamps(next)).containsExactly(77L, 78L);
        }
    }

    private LocalStore openAt(long millis, CrashDisk root) throws IOException {
        LedgerLogLocation location =
                new LedgerLogLocation(engine.client(), "log", root, LedgerLogConfig.DEFAULT.shared());
        return LocalStore.open(
                StoreConfig.DEFAULT,
                new StoreEnvironment(root, Workers.threads(failures), StoreClock.trusting(() -> millis), failures)
                        .withLog(location));
    }

    private static AppendRequest request(int bytes, long timestamp, AppendRequest.Completion done) {
        return new AppendRequest(ByteBuffer.allocateDirect(bytes), AppendRequest.Wait.DURABLE, done)
                .add(0, 0, bytes, 1, timestamp);
    }

    private static Outcome append(LocalStore store, int bytes, long timestamp) throws Exception {
        CompletableFuture<AppendRequest> done = new CompletableFuture<>();
        assertThat(store.append(request(bytes, timestamp, done::complete))).isTrue();
        return done.get(1, TimeUnit.MINUTES).outcome(0);
    }

    private static List<Long> timestamps(LocalStore store) throws IOException {
        List<Long> all = new ArrayList<>();
        ReadStatus unused =
                store.reader().read(0, 0, 1 << 20, (offset, count, timestamp, bytes, at, length) -> all.add(timestamp));
        return all;
    }

    /** Its file would be on one machine. */
    @Test
    void aSharedLogRefusesHugeBatches() throws Exception {
        try (LocalStore store = open(disk, "log", LedgerLogConfig.DEFAULT.shared())) {
            createQueue(store);
            int bytes = Store.MAX_BATCH_BYTES + 1;

            assertThat(store.hasHuge(request(bytes, 1, unused -> {}))).isFalse();
            assertThat(append(store, bytes, 1)).isEqualTo(Outcome.TOO_LARGE);
        }
    }

    @Test
    void aDirectoryOfAnotherLogIsRefused() throws Exception {
        CrashDisk second = new CrashDisk();
        try (LocalStore one = open(disk, "log");
                LocalStore two = open(second, "other")) {
            createQueue(one);
            createQueue(two);
        }
        assertThatThrownBy(() -> open(second, "log")).hasMessageContaining("belongs to another log");
        assertThatThrownBy(() -> open(second, "new")).hasMessageContaining("there is no log new");
    }

    @Test
    void aLogStaysWhereItWasMade() throws Exception {
        CrashDisk local = new CrashDisk();
        LocalStore.open(StoreConfig.DEFAULT, machine(local)).close();
        open(disk, "log").close();

        assertThatThrownBy(() -> open(local, "log")).hasMessageContaining("a log of its own");
        assertThatThrownBy(() -> LocalStore.open(StoreConfig.DEFAULT, machine(disk)))
                .hasMessageContaining("is on other machines");
    }

    /** A log without a group may be left by an owner that died while it made the first manifest. */
    @Test
    void aLogThatNeverHadAGroupIsTaken() throws Exception {
        new LedgerLogLocation(engine.client(), "log", disk, LedgerLogConfig.DEFAULT)
                .open(StoreConfig.DEFAULT.log(), () -> {}, Workers.threads(failures), failures)
                .close();

        try (LocalStore store = open(new CrashDisk(), "log")) {
            createQueue(store);
        }
    }

    /** Also if it meets the end of its ledger before the fence, because a bookie is down. */
    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 1, 2, 3})
    void anOwnerThatWasReplacedFailsWithThatReason(int down) throws Exception {
        FailureLatch ofOld = new FailureLatch();
        LocalStore old = LocalStore.open(
                StoreConfig.DEFAULT,
                new StoreEnvironment(disk, Workers.threads(ofOld), StoreClock.system(0), ofOld)
                        .withLog(new LedgerLogLocation(engine.client(), "log", disk, LedgerLogConfig.DEFAULT)));
        createQueue(old);
        CrashDisk copy = disk.afterPowerCut(disk.traceLength(), 1);
        try (LocalStore successor = open(copy, "log")) {
            if (down >= 0) {
                engine.takeDown(down);
            }
            assertThatThrownBy(() -> createQueue(old)).isNotNull();

            assertThat(old.failure()).isInstanceOf(OwnerChangedException.class);
            createQueue(successor);
        }
        old.close();
    }
}
