package io.rivulet.cluster.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.cluster.fake.FakeClient;
import io.rivulet.cluster.fake.FakeEngine;
import io.rivulet.store.io.CrashDisk;
import io.rivulet.store.open.CompactedLives;
import io.rivulet.store.open.LocalStore;
import io.rivulet.store.open.StoreEnvironment;
import java.io.IOException;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Compaction of a store whose log is on ledgers: no owner loses the last record of a key, and ledgers don't stay. A
 * failure contains its seed; {@code -Drivulet.seed=SEED -Drivulet.seeds=1} repeats it.
 */
final class LedgerCompactionTest {
    private static final int SEEDS = Integer.getInteger("rivulet.seeds", 4);
    private static final int LIVES = 5;
    private static final int ROUNDS = 5;
    private static final int LEDGER_BYTES = 256 << 10;

    private final long firstSeed = Long.getLong("rivulet.seed", System.nanoTime() >>> 20);
    private FakeEngine engine = FakeEngine.eager();
    private CrashDisk disk = new CrashDisk();
    private FakeClient owner = engine.client();

    private StoreEnvironment environment(StoreEnvironment local) {
        owner = engine.client();
        LedgerLogConfig ledgers = LedgerLogConfig.DEFAULT.withLedgerBytes(LEDGER_BYTES);
        return local.withLog(new LedgerLogLocation(owner, "log", disk, ledgers));
    }

    @Test
    void compactionKeepsTheLastRecordsWhoeverOwnsTheLog() {
        long compactions = 0;
        for (long seed = firstSeed; seed < firstSeed + SEEDS; seed++) {
            try {
                compactions += run(new SplittableRandom(seed));
            } catch (Exception | AssertionError e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
        assertThat(compactions).isGreaterThan(SEEDS);
    }

    private long run(SplittableRandom random) throws Exception {
        engine = FakeEngine.eager();
        disk = new CrashDisk();
        CompactedLives lives =
                new CompactedLives(random, (workers, clock) -> environment(new StoreEnvironment(disk, workers, clock)));
        for (int life = 0; life < LIVES; life++) {
            LocalStore store = lives.live(1 + random.nextInt(ROUNDS));
            switch (random.nextInt(3)) {
                case 0 -> store.close();
                case 1 -> {
                    owner.die();
                    disk = disk.afterKill();
                }
                default -> {
                    owner.die();
                    disk = disk.afterPowerCut(disk.traceLength(), random.nextLong());
                }
            }
        }
        try (LocalStore store = lives.live(0)) {
            store.sweepEverything().get();
            assertThat(ledgers()).isLessThanOrEqualTo(2);
        }
        return lives.compactions();
    }

    private int ledgers() throws IOException {
        return LogRecord.decode("log", Objects.requireNonNull(owner.load("log")).bytes())
                .ledgers()
                .size();
    }
}
