package io.rivulet.store.maintenance;

import io.rivulet.store.checkpoint.Checkpointer;
import io.rivulet.store.huge.HugeBatches;
import io.rivulet.store.retention.Retention;
import io.rivulet.store.sweep.Sweeper;
import io.rivulet.store.time.StoreClock;
import org.jspecify.annotations.Nullable;

/** The parts that maintenance uses, all owned by the background thread. Immutable. */
public record MaintenanceParts(
        Sweeper sweeper,
        Checkpointer checkpointer,
        BlockRegistry registry,
        MergeTask merging,
        @Nullable CompactionTask compacting,
        ObsoleteFiles obsoleteFiles,
        HugeBatches huge,
        HugeBatches.StartOffsets startOffsets,
        Retention retention,
        StoreClock clock) {}
