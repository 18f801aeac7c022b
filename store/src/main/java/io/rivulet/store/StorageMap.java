package io.rivulet.store;

import java.util.List;

/**
 * Where the records of a store are at one moment. Immutable.
 *
 * @param idLimit all queues have lower ids
 * @param tailBytes of memory that the records take which are in no block file yet
 * @param tailMostBytes the most that they may take
 * @param logBytes of the log on the disk, prepared space included
 * @param files the block files, oldest first
 */
public record StorageMap(int idLimit, long tailBytes, long tailMostBytes, long logBytes, List<File> files) {
    /**
     * A block file.
     *
     * @param level 1 for files of the sweep, one more for each merge; from 256 on for compacted files
     * @param firstCycle the first sweep cycle whose records it has
     * @param lastCycle the last one
     * @param firstQueueId the lowest id of a queue in it
     * @param lastQueueId the highest one
     * @param queues how many it has
     * @param referencedBytes of batches in the log that it refers to
     * @param cachedBytes of it that are in the cache
     * @param writtenMillis when it was written
     */
    public record File(
            String name,
            int level,
            long firstCycle,
            long lastCycle,
            int firstQueueId,
            int lastQueueId,
            int queues,
            long blocks,
            long offsets,
            long bytes,
            long referencedBytes,
            long cachedBytes,
            long writtenMillis) {}
}
