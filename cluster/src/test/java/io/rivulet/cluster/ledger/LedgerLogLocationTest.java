package io.rivulet.cluster.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rivulet.cluster.fake.FakeEngine;
import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.failure.OwnerChangedException;
import io.rivulet.store.io.CrashDisk;
import io.rivulet.store.open.LocalStore;
import io.rivulet.store.open.StoreConfig;
import io.rivulet.store.open.StoreEnvironment;
import io.rivulet.store.thread.Workers;
import io.rivulet.store.time.StoreClock;
import java.io.IOException;
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
        LedgerLogLocation location = new LedgerLogLocation(engine.client(), log, root, LedgerLogConfig.DEFAULT);
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
