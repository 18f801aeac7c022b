package io.rivulet.broker.topic;

import io.rivulet.broker.config.TopicSettings;
import io.rivulet.protocol.wire.Uuid;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A topic as it was when it was asked for, however many partitions it has. Its queues are one range of ids and, when
 * partitions were added later, further ranges. Immutable. What is kept of a topic is a row of {@link TopicRows}; this is made of it for who asks.
 */
public final class Topic {
    /** What one object of it takes, with its place in a list. */
    public static final long HEAP_BYTES = 72;

    /** Instead of a queue id. */
    public static final int NO_QUEUE = -1;

    static final int[] NO_RANGES = {};

    private final NameArena names;
    private final int namePlace;
    private final long idHigh;
    private final long idLow;
    private final int firstQueueId;
    private final int firstCount;
    /** First queue id and count, for each range behind the first one. */
    private final int[] addedRanges;

    private final TopicSettings settings;

    Topic(
            NameArena names,
            int namePlace,
            long idHigh,
            long idLow,
            int firstQueueId,
            int firstCount,
            int[] addedRanges,
            TopicSettings settings) {
        this.names = names;
        this.namePlace = namePlace;
        this.idHigh = idHigh;
        this.idLow = idLow;
        this.firstQueueId = firstQueueId;
        this.firstCount = firstCount;
        this.addedRanges = addedRanges;
        this.settings = settings;
    }

    /** The ranges behind the first one when there is one more. */
    int[] rangesWith(int queueId, int count) {
        int[] ranges = Arrays.copyOf(addedRanges, addedRanges.length + 2);
        ranges[addedRanges.length] = queueId;
        ranges[addedRanges.length + 1] = count;
        return ranges;
    }

    /** A new object each time. */
    public String name() {
        return names.text(namePlace);
    }

    /** In ASCII. */
    ByteBuffer asciiName() {
        return names.bytes(namePlace);
    }

    public Uuid id() {
        return new Uuid(idHigh, idLow);
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

    /** Whether it is the same topic and nothing has changed: each find makes an object. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Topic that
                && idHigh == that.idHigh
                && idLow == that.idLow
                && settings.equals(that.settings)
                && Arrays.equals(addedRanges, that.addedRanges);
    }

    @Override
    public int hashCode() {
        return Long.hashCode(idHigh ^ idLow);
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
