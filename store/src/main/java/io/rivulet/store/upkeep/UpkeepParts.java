package io.rivulet.store.upkeep;

import io.rivulet.store.checkpoint.Checkpointer;
import io.rivulet.store.retention.Retention;
import io.rivulet.store.sweep.Sweeper;

/** What upkeep works with, all of it the background thread's. Immutable. */
public record UpkeepParts(
        Sweeper sweeper,
        Checkpointer checkpointer,
        BlockStock stock,
        Merging merging,
        DeadFiles deadFiles,
        Retention retention) {}
