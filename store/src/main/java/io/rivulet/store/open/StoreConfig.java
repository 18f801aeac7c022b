package io.rivulet.store.open;

import io.rivulet.store.Durability;
import io.rivulet.store.io.Disk.IoMode;
import io.rivulet.store.log.LogConfig;
import io.rivulet.store.log.local.LocalLogConfig;
import io.rivulet.store.maintenance.CompactionConfig;
import io.rivulet.store.maintenance.MergeConfig;
import java.time.Duration;

/**
 * The configuration of a store. Immutable.
 *
 * @param localLog of the commit log; only {@link #log} is for a log of any kind
 * @param tailBytes memory for records that are not yet in block files; also bounds how long a restart takes
 * @param cacheBytes memory for pages of block files
 * @param waiting limits of the requests that wait for the log writer
 * @param maxReplayBytes how much log a restart should replay at most
 * @param merge how block files are merged
 * @param compaction how queues are compacted
 * @param setAsideMillis how long files are kept after they were set aside; -1 for ever
 */
public record StoreConfig(
        LocalLogConfig localLog,
        long tailBytes,
        long cacheBytes,
        Waiting waiting,
        long maxReplayBytes,
        MergeConfig merge,
        CompactionConfig compaction,
        long setAsideMillis) {
    /** Limits of the requests that wait for the log writer, and of the bytes of their batches. Immutable. */
    public record Waiting(int maxCommands, long maxBytes) {
        public Waiting {
            require(maxCommands >= 2, "maxWaitingCommands", maxCommands, "2 or more");
            require(maxBytes >= 1, "maxWaitingBytes", maxBytes, "1 or more");
        }
    }

    private static final long MIB = 1 << 20;
    /** The sweep keeps a quarter of it free. That must hold the largest record of a stream. */
    private static final long MIN_TAIL_BYTES = 256 << 10;

    /** The last of these groups can be read from memory, see docs/decisions/0006-log-io.md. */
    private static final int GROUPS = 12;

    /** Writing and forcing so few bytes takes less time than waking three threads one after the other. */
    private static final int IN_PLACE_BYTES = 512 << 10;

    /** For a small machine. */
    public static final StoreConfig DEFAULT = new StoreConfig(
            LocalLogConfig.DEFAULT
                    .withIoMode(IoMode.DIRECT)
                    .withGroups(GROUPS, LogConfig.DEFAULT.groupBytes())
                    .withInPlace(IN_PLACE_BYTES),
            256 * MIB,
            64 * MIB,
            new Waiting(4096, 64 * MIB),
            1024 * MIB,
            MergeConfig.DEFAULT,
            CompactionConfig.DEFAULT,
            Duration.ofDays(7).toMillis());

    public StoreConfig {
        require(tailBytes >= MIN_TAIL_BYTES, "tailBytes", tailBytes, "256 KiB or more");
        require(cacheBytes >= MIB, "cacheBytes", cacheBytes, "1 MiB or more");
        require(maxReplayBytes >= 1, "maxReplayBytes", maxReplayBytes, "1 or more");
    }

    /** What concerns a log of any kind. */
    public LogConfig log() {
        return localLog.log();
    }

    public StoreConfig withLog(LocalLogConfig newLog) {
        return new StoreConfig(
                newLog, tailBytes, cacheBytes, waiting, maxReplayBytes, merge, compaction, setAsideMillis);
    }

    public StoreConfig withDurability(Durability durability) {
        return withLog(localLog.withDurability(durability));
    }

    /** How many groups the log keeps in memory. */
    public StoreConfig withLogGroups(int count) {
        return withLog(localLog.withGroups(count, log().groupBytes()));
    }

    public int logGroups() {
        return log().groupCount();
    }

    /** The most memory that a group of the log takes. */
    public long logGroupBytes() {
        return log().groupBytes();
    }

    /** A larger tail leads to larger blocks and a longer replay. */
    public StoreConfig withMemory(long newTailBytes, long newCacheBytes) {
        long replayBytes = Math.max(maxReplayBytes, 3 * newTailBytes);
        return new StoreConfig(
                localLog, newTailBytes, newCacheBytes, waiting, replayBytes, merge, compaction, setAsideMillis);
    }

    public StoreConfig withMaxWaitingBytes(long newMaxWaitingBytes) {
        Waiting newWaiting = new Waiting(waiting.maxCommands(), newMaxWaitingBytes);
        return new StoreConfig(
                localLog, tailBytes, cacheBytes, newWaiting, maxReplayBytes, merge, compaction, setAsideMillis);
    }

    public StoreConfig withMaxReplayBytes(long newMaxReplayBytes) {
        return new StoreConfig(
                localLog, tailBytes, cacheBytes, waiting, newMaxReplayBytes, merge, compaction, setAsideMillis);
    }

    public StoreConfig withMerge(MergeConfig newMerge) {
        return new StoreConfig(
                localLog, tailBytes, cacheBytes, waiting, maxReplayBytes, newMerge, compaction, setAsideMillis);
    }

    public StoreConfig withCompaction(CompactionConfig newCompaction) {
        return new StoreConfig(
                localLog, tailBytes, cacheBytes, waiting, maxReplayBytes, merge, newCompaction, setAsideMillis);
    }

    /**
     * @param memoryBytes for the keys and records of a queue
     * @param pauseMillis between two rounds over all files
     */
    public StoreConfig withCompaction(long memoryBytes, long pauseMillis) {
        return withCompaction(
                new CompactionConfig(memoryBytes, pauseMillis, compaction.stepBytes(), compaction.limits()));
    }

    public StoreConfig withSetAside(long millis) {
        return new StoreConfig(localLog, tailBytes, cacheBytes, waiting, maxReplayBytes, merge, compaction, millis);
    }

    private static void require(boolean holds, String key, long value, String allowed) {
        if (!holds) {
            throw new IllegalArgumentException(key + " is " + value + "; allowed is " + allowed);
        }
    }
}
