package io.rivulet.store.log;

import io.rivulet.store.Durability;

/**
 * What every kind of commit log is opened with. Immutable. All of it may differ from one opening to the next.
 *
 * @param groupBytes capacity of a group, header included; a multiple of 4096, at most {@link
 *     LogGroupLayout#MAX_GROUP_BYTES}
 * @param groupCount number of groups; memory is at most {@code groupCount * groupBytes}, allocated on first use
 */
public record LogConfig(Durability durability, int groupBytes, int groupCount) {
    public static final LogConfig DEFAULT = new LogConfig(Durability.FSYNC, LogGroupLayout.MAX_GROUP_BYTES, 4);

    private static final int UNIT_BYTES = 4096;

    public LogConfig {
        require(
                groupBytes % UNIT_BYTES == 0
                        && groupBytes >= UNIT_BYTES
                        && groupBytes <= LogGroupLayout.MAX_GROUP_BYTES,
                "groupBytes",
                groupBytes,
                "a multiple of " + UNIT_BYTES + " up to " + LogGroupLayout.MAX_GROUP_BYTES);
        require(groupCount >= 1, "groupCount", groupCount, "1 or more");
    }

    /** The most bytes in the body of a group. */
    public int maxBodyBytes() {
        return groupBytes - LogGroupLayout.HEADER_BYTES - LogGroupLayout.CRC_BYTES;
    }

    public LogConfig withDurability(Durability newDurability) {
        return new LogConfig(newDurability, groupBytes, groupCount);
    }

    public LogConfig withGroups(int newGroupCount, int newGroupBytes) {
        return new LogConfig(durability, newGroupBytes, newGroupCount);
    }

    private static void require(boolean holds, String key, long value, String allowed) {
        if (!holds) {
            throw new IllegalArgumentException(key + " is " + value + "; allowed is " + allowed);
        }
    }
}
