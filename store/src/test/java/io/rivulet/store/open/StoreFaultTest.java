package io.rivulet.store.open;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.store.Durability;
import io.rivulet.store.io.Disk;
import io.rivulet.store.io.FaultyDisk;
import io.rivulet.store.io.FaultyDisk.Op;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Faults of the disk at any I/O. Each may make the store fail for good. None may lose acknowledged data, leave a
 * request without an answer, or leave a store that does not open again. A failure contains its seed.
 */
class StoreFaultTest {
    private static final int LIVES = 3;
    private static final int LOOKS = 3;
    private static final int STATES = Integer.getInteger("rivulet.crash.states", 2000) / 4;
    private static final long FIRST_SEED = Long.getLong("rivulet.crash.seed", 0);

    private static final Op[] OPS = {
        Op.CREATE, Op.RENAME, Op.DELETE, Op.SYNC_DIRECTORY, Op.WRITE, Op.WRITE, Op.READ, Op.OPEN, Op.FORCE, Op.FORCE,
    };

    /** One operation fails, somewhere in the life. */
    private static final class OneFault implements Tampering {
        private final Op op;
        private final int n;

        OneFault(SplittableRandom random) {
            this.op = OPS[random.nextInt(OPS.length)];
            this.n = 1 + random.nextInt(1 << random.nextInt(8));
        }

        @Override
        public boolean mayFail() {
            return true;
        }

        @Override
        public Disk disk(Disk disk) {
            return new FaultyDisk(disk).failNth(op, n);
        }
    }

    /** A disk that is full from time to time. */
    static class FullNowAndThen implements Tampering {
        private final SplittableRandom random;
        private FaultyDisk disk;

        FullNowAndThen(SplittableRandom random) {
            this.random = random.split();
            this.disk = new FaultyDisk(new io.rivulet.store.io.CrashDisk());
        }

        @Override
        public boolean mayFail() {
            return true;
        }

        @Override
        public boolean mayFailForGood() {
            return false;
        }

        @Override
        public Disk disk(Disk real) {
            disk = new FaultyDisk(real);
            return disk;
        }

        @Override
        public void step() {
            if (random.nextInt(6) == 0) {
                disk.full(random.nextBoolean());
            }
        }

        @Override
        public void settle() {
            disk.full(false);
        }
    }

    @Test
    void aFaultAtAnyOperationLosesNothingThatWasAcknowledged() {
        int states = 0;
        for (long seed = FIRST_SEED; states < STATES; seed++) {
            states += new StoreSimulation(seed, Durability.FSYNC, OneFault::new, Tampering.NONE).run(LIVES, LOOKS);
        }
        assertThat(states).isGreaterThanOrEqualTo(STATES);
    }

    @Test
    void faultsAndAFullDiskLoseNoHugeBatchThatWasAcknowledged() {
        int states = 0;
        for (long seed = FIRST_SEED; states < STATES; seed++) {
            boolean full = seed % 2 == 0;
            states += new StoreSimulation(
                            seed, Durability.FSYNC, full ? FullNowAndThen::new : OneFault::new, Tampering.NONE)
                    .withHugeBatches()
                    .run(LIVES, LOOKS);
        }
        assertThat(states).isGreaterThanOrEqualTo(STATES);
    }

    @Test
    void aFullDiskRefusesAndGoesOnByItself() {
        int states = 0;
        for (long seed = FIRST_SEED; states < STATES; seed++) {
            states +=
                    new StoreSimulation(seed, Durability.FSYNC, FullNowAndThen::new, Tampering.NONE).run(LIVES, LOOKS);
        }
        assertThat(states).isGreaterThanOrEqualTo(STATES);
    }
}
