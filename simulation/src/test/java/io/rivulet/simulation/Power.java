package io.rivulet.simulation;

import io.rivulet.store.io.CrashDisk;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Cuts the power at one I/O of a life. What happens afterwards, until all work has returned, happens to nobody: clients
 * hear nothing, and the next life starts on what the disk had at the cut.
 */
final class Power {
    private final CrashDisk disk;
    private final long cutAt;
    private final long cutSeed;
    private long operations;
    private @Nullable CrashDisk left;

    /** @param mostOperations the cut is at one of so many I/Os */
    Power(CrashDisk disk, SplittableRandom random, int mostOperations) {
        this.disk = disk;
        this.cutAt = 1L + random.nextInt(mostOperations);
        this.cutSeed = random.nextLong();
    }

    /** Before and after each I/O. */
    void io() {
        if (left == null && ++operations == cutAt) {
            cut();
        }
    }

    void cut() {
        if (left == null) {
            left = disk.afterPowerCut(disk.traceLength(), cutSeed);
        }
    }

    /** The process is killed, and the machine goes on. */
    void kill() {
        if (left == null) {
            left = disk.afterKill();
        }
    }

    long operations() {
        return operations;
    }

    boolean isOff() {
        return left != null;
    }

    /** What the next life finds. */
    CrashDisk left() {
        CrashDisk found = left;
        if (found == null) {
            throw new IllegalStateException("the power is on");
        }
        return found;
    }
}
