package io.rivulet.prove.faults;

import io.rivulet.store.faults.FaultShim;
import io.rivulet.store.faults.FaultShim.Call;
import io.rivulet.store.faults.FaultShim.Errno;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Faults of the disk under a broker, and which ends of the process each allows. Owned by: one thread. */
final class DiskFaults {
    private static final int MOST_SKIPPED = 30;
    private static final long FAULT_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final int IO_FAILURE = 74;
    /** A start that meets the fault. */
    private static final int CAN_NOT_START = 1;

    /** What a disk does, and whether the broker must survive it. */
    private record Fault(Call call, Errno errno, boolean mustSurvive) {}

    /** The last fault, for a human. */
    private record Struck(String what, boolean mustSurvive) {}

    private static final List<Fault> FAULTS = List.of(
            new Fault(Call.CREATE, Errno.ENOSPC, true),
            new Fault(Call.CREATE, Errno.EMFILE, true),
            new Fault(Call.OPEN, Errno.EMFILE, true),
            new Fault(Call.OPEN, Errno.EIO, false),
            new Fault(Call.WRITE, Errno.ENOSPC, true),
            new Fault(Call.WRITE, Errno.EDQUOT, true),
            new Fault(Call.WRITE, Errno.EIO, false),
            new Fault(Call.WRITE, Errno.EROFS, false),
            new Fault(Call.READ, Errno.EIO, false),
            new Fault(Call.FORCE, Errno.EIO, false),
            new Fault(Call.FORCE, Errno.ENOSPC, false),
            new Fault(Call.SYNC_DIRECTORY, Errno.EIO, false),
            new Fault(Call.RENAME, Errno.ENOSPC, true),
            new Fault(Call.RENAME, Errno.EIO, false),
            new Fault(Call.DELETE, Errno.EIO, false),
            new Fault(Call.TRUNCATE, Errno.EIO, false));

    private final LoadedBroker broker;
    private final FaultShim shim;
    private final Random random;
    private Struck last = new Struck("no fault", true);

    DiskFaults(LoadedBroker broker, FaultShim shim, Random random) {
        this.broker = broker;
        this.shim = shim;
        this.random = random;
    }

    /** Something happens that the random number generator chooses. */
    void strike() throws IOException {
        last = random.nextInt(8) == 0 ? slowDown() : one(FAULTS.get(random.nextInt(FAULTS.size())));
    }

    /** A broker that fails may need a moment to end: what it ends of is the last fault. */
    void ended() throws Exception {
        int code = broker.process().awaitEnd();
        String wrong = complaint(
                last.what(), last.mustSurvive(), code, broker.process().err());
        if (wrong != null) {
            broker.violated(wrong);
        }
        broker.restart();
    }

    private Struck slowDown() throws IOException {
        if (random.nextBoolean()) {
            shim.slow(500_000 + random.nextInt(5_000_000));
        } else {
            shim.delay(random.nextBoolean() ? Call.FORCE : Call.WRITE, random.nextInt(300));
        }
        pause(FAULT_NANOS);
        shim.heal();
        return new Struck("a slow disk", true);
    }

    /** One call fails, or all for a while. */
    private Struck one(Fault fault) throws IOException {
        long before = shim.struck();
        boolean all = random.nextBoolean();
        int skipped = random.nextInt(MOST_SKIPPED);
        if (all) {
            shim.fail(fault.call(), fault.errno());
        } else {
            shim.failNth(fault.call(), fault.errno(), 1 + skipped);
        }
        awaitEffect(before);
        shim.heal();
        return new Struck(fault + (all ? " for a while" : " after " + skipped + " calls"), fault.mustSurvive());
    }

    /** Waits until the fault has struck and a while more, or the process ends. */
    private void awaitEffect(long before) throws IOException {
        long endNanos = System.nanoTime() + FAULT_NANOS;
        while (System.nanoTime() - endNanos < 0 && broker.process().isAlive()) {
            LockSupport.parkNanos(PAUSE_NANOS);
            if (shim.struck() > before + 20) {
                return;
            }
        }
    }

    /** What is wrong with this end of the process; null if the promise allows it. */
    static @Nullable String complaint(String fault, boolean mustSurvive, int exitCode, String err) {
        if (mustSurvive) {
            return fault + " has ended the broker with " + exitCode + ": " + err;
        }
        if (!Set.of(IO_FAILURE, CAN_NOT_START).contains(exitCode)) {
            return fault + ": the exit code is " + exitCode + ", and it says: " + err;
        }
        return err.isBlank() ? fault + ": the process has ended without a word" : null;
    }

    static void pause(long nanos) {
        long endNanos = System.nanoTime() + nanos;
        while (System.nanoTime() - endNanos < 0) {
            LockSupport.parkNanos(nanos);
        }
    }
}
