package io.rivulet.store.maintenance;

import io.rivulet.store.checkpoint.Checkpointer;
import io.rivulet.store.retention.Retention;
import io.rivulet.store.sweep.Sweeper;
import io.rivulet.store.time.StoreClock;
import org.jspecify.annotations.Nullable;

/** What maintenance works with, all of it the background thread's. Immutable. */
public record MaintenanceParts(
        Sweeper sweeper,
        Checkpointer checkpointer,
        BlockRegistry registry,
        MergeTask merging,
        @Nullable CompactionTask compacting,
        ObsoleteFiles deadFiles,
        Retention retention,
        StoreClock clock) {}
