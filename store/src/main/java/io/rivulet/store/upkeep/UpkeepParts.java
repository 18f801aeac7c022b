package io.rivulet.store.upkeep;

import io.rivulet.store.checkpoint.Checkpointer;
import io.rivulet.store.retention.Retention;
import io.rivulet.store.sweep.Sweeper;
import io.rivulet.store.time.StoreClock;
import org.jspecify.annotations.Nullable;

/** What upkeep works with, all of it the background thread's. Immutable. */
public record UpkeepParts(
        Sweeper sweeper,
        Checkpointer checkpointer,
        BlockStock stock,
        Merging merging,
        @Nullable Compacting compacting,
        DeadFiles deadFiles,
        Retention retention,
        StoreClock clock) {}
