package io.rivulet.broker.topic;

import io.rivulet.broker.config.TopicSettings;
import io.rivulet.protocol.wire.Uuid;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A topic as it is at one moment: 48 bytes and its name, however many partitions it has. Its queues are one range of ids and, when
 * partitions were added later, further ranges. Immutable.
 *
 * <p>The name is kept as ASCII ({@link TopicNames} allows nothing else) and not as a {@link String}, which would be 24 bytes more.
 */
public final class Topic {
    /** Instead of a queue id. */
    public static final int NO_QUEUE = -1;

    private static final int[] NO_RANGES = {};

    private final byte[] name;
    private final long idHigh;
    private final long idLow;
    private final int firstQueueId;
    private final int firstCount;
    /** First queue id and count, for each range behind the first one. */
    private final int[] addedRanges;

    private final TopicSettings settings;

    /** @param name in ASCII; the caller leaves the array to the topic */
    Topic(byte[] name, Uuid id, int firstQueueId, int count, TopicSettings settings) {
        this(name, id.mostSignificantBits(), id.leastSignificantBits(), firstQueueId, count, NO_RANGES, settings);
    }

    private Topic(
            byte[] name,
            long idHigh,
            long idLow,
            int firstQueueId,
            int firstCount,
            int[] addedRanges,
            TopicSettings settings) {
        this.name = name;
        this.idHigh = idHigh;
        this.idLow = idLow;
        this.firstQueueId = firstQueueId;
        this.firstCount = firstCount;
        this.addedRanges = addedRanges;
        this.settings = settings;
    }

    Topic withPartitionsAdded(int queueId, int count) {
        int[] ranges = Arrays.copyOf(addedRanges, addedRanges.length + 2);
        ranges[addedRanges.length] = queueId;
        ranges[addedRanges.length + 1] = count;
        return new Topic(name, idHigh, idLow, firstQueueId, firstCount, ranges, settings);
    }

    Topic withSettings(TopicSettings newSettings) {
        return new Topic(name, idHigh, idLow, firstQueueId, firstCount, addedRanges, newSettings);
    }

    /** A new object each time. */
    public String name() {
        return new String(name, StandardCharsets.US_ASCII);
    }

    /** Its own; not to be changed. */
    byte[] asciiName() {
        return name;
    }

    boolean hasName(String other) {
        boolean same = other.length() == name.length;
        for (int i = 0; same && i < name.length; i++) {
            same = other.charAt(i) == name[i];
        }
        return same;
    }

    boolean hasNameOf(Topic other) {
        return Arrays.equals(name, other.name);
    }

    /** The {@link String#hashCode} of its name. */
    int nameHash() {
        int hash = 0;
        for (byte character : name) {
            hash = 31 * hash + character;
        }
        return hash;
    }

    public Uuid id() {
        return new Uuid(idHigh, idLow);
    }

    boolean hasId(long high, long low) {
        return idHigh == high && idLow == low;
    }

    long idHash() {
        return idHigh ^ idLow;
    }

    public TopicSettings settings() {
        return settings;
    }

    public int partitionCount() {
        int count = firstCount;
        for (int i = 1; i < addedRanges.length; i += 2) {
            count += addedRanges[i];
        }
        return count;
    }

    /** The queue that is the partition, or {@link #NO_QUEUE}. */
    public int queueId(int partition) {
        if (partition < 0) {
            return NO_QUEUE;
        }
        if (partition < firstCount) {
            return firstQueueId + partition;
        }
        int left = partition - firstCount;
        for (int i = 0; i < addedRanges.length; i += 2) {
            if (left < addedRanges[i + 1]) {
                return addedRanges[i] + left;
            }
            left -= addedRanges[i + 1];
        }
        return NO_QUEUE;
    }

    /** Takes ranges of queue ids. */
    @FunctionalInterface
    public interface RangeVisitor {
        void range(int firstQueueId, int count);
    }

    /** Every range of the topic's queues, in the order of its partitions. */
    public void forEachRange(RangeVisitor visitor) {
        visitor.range(firstQueueId, firstCount);
        for (int i = 0; i < addedRanges.length; i += 2) {
            visitor.range(addedRanges[i], addedRanges[i + 1]);
        }
    }
}
