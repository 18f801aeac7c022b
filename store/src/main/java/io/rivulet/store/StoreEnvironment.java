package io.rivulet.store;

import io.rivulet.store.io.Disk;
import io.rivulet.store.io.LocalDisk;
import io.rivulet.store.log.Workers;
import java.nio.file.Path;
import java.util.function.LongSupplier;

/**
 * What a store stands on: replaced by tests that cut the power, run threads in place or set the clock. Immutable.
 *
 * @param clockMillis the time that new groups are stamped with; never used in a replay
 */
public record StoreEnvironment(Disk disk, Workers workers, LongSupplier clockMillis) {
    public static StoreEnvironment local(Path directory) {
        return new StoreEnvironment(new LocalDisk(directory), Workers.threads(), System::currentTimeMillis);
    }
}
