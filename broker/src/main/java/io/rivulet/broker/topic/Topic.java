package io.rivulet.broker.topic;

import io.rivulet.broker.config.TopicSettings;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.protocol.wire.Uuid;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A topic at the moment of a lookup. Its queues are one range of ids, and further ranges if partitions were added.
 * Immutable. Made for each lookup from a row of {@link TopicRows}.
 */
public final class Topic {
    /** The heap of one object and its place in a list. */
    public static final long HEAP_BYTES = 72;

    /** Returned for a partition that does not exist. */
    public static final int NO_QUEUE = -1;

    static final int[] NO_RANGES = {};

    private final NameArena names;
    private final int namePlace;
    private final long idHigh;
    private final long idLow;
    private final int firstQueueId;
    private final int firstCount;
    /** First queue id and count of each range after the first. */
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

    /** The added ranges, and one more. */
    int[] rangesWith(int queueId, int count) {
        int[] ranges = Arrays.copyOf(addedRanges, addedRanges.length + 2);
        ranges[addedRanges.length] = queueId;
        ranges[addedRanges.length + 1] = count;
        return ranges;
    }

    /** Makes a new string. */
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

    boolean hasIdHigh(long bits) {
        return idHigh == bits;
    }

    /** Whether it is an {@link InternalTopic}, which clients can't change. */
    public boolean isInternal() {
        return InternalTopic.of(this) != null;
    }

    /** @throws RefusedException if it is internal */
    public Topic requireOfClients(ErrorCode otherwise) {
        if (isInternal()) {
            throw new RefusedException(otherwise, "the topic is internal: only the broker changes it");
        }
        return this;
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

    /** The queue of the partition, or {@link #NO_QUEUE}. */
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

    /** Whether it is the same topic, unchanged: each lookup makes an object. */
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

    /** Handles ranges of queue ids. */
    @FunctionalInterface
    public interface RangeVisitor {
        void range(int firstQueueId, int count);
    }

    /** Calls the visitor for each range of queues, in the order of the partitions. */
    public void forEachRange(RangeVisitor visitor) {
        visitor.range(firstQueueId, firstCount);
        for (int i = 0; i < addedRanges.length; i += 2) {
            visitor.range(addedRanges[i], addedRanges[i + 1]);
        }
    }
}
