package io.rivulet.store.maintenance;

/**
 * When the background thread starts to work. Immutable.
 *
 * @param maxReplayBytes the log is swept while a restart would replay more than this
 * @param maxReplayedQueues the same for queues that a restart would change: an entry of a few bytes can create millions
 * @param stepBytes bytes of work in one step
 */
public record MaintenanceConfig(long maxReplayBytes, long maxReplayedQueues, long stepBytes) {}
