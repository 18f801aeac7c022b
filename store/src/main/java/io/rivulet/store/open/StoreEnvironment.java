package io.rivulet.store.open;

import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.io.Disk;
import io.rivulet.store.io.FileDescriptors;
import io.rivulet.store.io.LocalDisk;
import io.rivulet.store.log.LogLocation;
import io.rivulet.store.log.LogService;
import io.rivulet.store.log.local.LocalLogConfig;
import io.rivulet.store.log.local.LocalLogLocation;
import io.rivulet.store.shard.Claim;
import io.rivulet.store.thread.Workers;
import io.rivulet.store.time.StoreClock;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ServiceLoader;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The disk, threads and clock of a store. Tests replace them to cut the power, to run threads in place, or to set the
 * clock. Immutable.
 *
 * @param clock of this store only; never used in a replay
 * @param failures shared with the user of the store: the first failure of either stops both
 * @param otherLog where the commit log is; null if it is on the disk
 */
public record StoreEnvironment(
        Disk disk,
        Workers workers,
        StoreClock clock,
        FailureLatch failures,
        @Nullable LogLocation otherLog) {
    public StoreEnvironment(Disk disk, Workers workers, StoreClock clock, FailureLatch failures) {
        this(disk, workers, clock, failures, null);
    }

    public StoreEnvironment(Disk disk, Workers workers, StoreClock clock) {
        this(disk, workers, clock, new FailureLatch());
    }

    /** With the log elsewhere. */
    public StoreEnvironment withLog(LogLocation location) {
        return new StoreEnvironment(disk, workers, clock, failures, location);
    }

    /**
     * With the log on other machines.
     *
     * @param address in a form of the module that connects to them; it must be on the class path
     */
    public StoreEnvironment withLogAt(String address) throws IOException {
        LogService service = ServiceLoader.load(LogService.class)
                .findFirst()
                .orElseThrow(() -> new IOException("no jar of the class path can connect to a log on other machines"));
        return withLog(service.connect(address, disk));
    }

    /** With the log of a shard that this process owns. */
    public StoreEnvironment withLogOf(Claim claim) throws IOException {
        return withLog(claim.log(disk));
    }

    LogLocation log(LocalLogConfig local) {
        return otherLog != null ? otherLog : new LocalLogLocation(disk, local);
    }

    /** With a clock that is trusted. */
    public StoreEnvironment(Disk disk, Workers workers, LongSupplier clockMillis) {
        this(disk, workers, StoreClock.trusting(clockMillis));
    }

    public static StoreEnvironment local(Path directory) {
        return local(directory, StoreClock.system(StoreClock.DEFAULT_PATIENCE_MILLIS), new FailureLatch());
    }

    public static StoreEnvironment local(Path directory, StoreClock clock, FailureLatch failures) {
        return new StoreEnvironment(new LocalDisk(directory), Workers.threads(failures), clock, failures);
    }

    /** Creates the directory of a store if it does not exist. */
    public static void createDirectory(Path directory) throws IOException {
        LocalDisk.create(directory);
    }

    /**
     * How many file descriptors of this process are for connections. The others are for the virtual machine and the
     * store.
     */
    public static int connectionDescriptors() {
        return FileDescriptors.ofThisProcess().forConnections();
    }
}
