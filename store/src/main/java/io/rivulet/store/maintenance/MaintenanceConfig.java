package io.rivulet.store.maintenance;

/**
 * When the background thread begins to work. Immutable.
 *
 * @param sweepFromUsedChunks the tail is swept while more chunks than this are in use
 * @param maxReplayBytes the log is swept free while a restart would replay more than this
 * @param maxReplayedQueues the same for queues that a restart would change: an entry of some bytes creates millions
 * @param stepBytes what is done in one go
 * @param preparedLogBytes what the log keeps on the disk though nothing is in it, at most
 */
public record MaintenanceConfig(
        int sweepFromUsedChunks, long maxReplayBytes, long maxReplayedQueues, long stepBytes, long preparedLogBytes) {}
