package io.rivulet.broker.share;

import io.rivulet.broker.topic.Topic;
import io.rivulet.broker.topic.TopicCatalogue;
import io.rivulet.protocol.record.RecordView;
import io.rivulet.protocol.wire.Uuid;
import io.rivulet.store.AppendRequest;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The next runs of a group that need letters, and as many letters as fit into one request.
 *
 * <p>Owned by: the read thread.
 */
final class DeadLetterSlice implements AutoCloseable {
    private final TopicCatalogue topics;
    private final @Nullable DeadLetterBatches batches;
    private final List<DeadRange> ranges;
    /** The ranges before this index are in the slice as a whole. */
    private int whole;
    /** Of the range behind them, the records before this offset. */
    private long until;

    private int impossible;

    /** @param batches null if the records get no letters */
    DeadLetterSlice(TopicCatalogue topics, List<DeadRange> ranges, @Nullable DeadLetterBatches batches) {
        this.topics = topics;
        this.ranges = ranges;
        this.batches = batches;
    }

    /**
     * Writes letters until the slice is full.
     *
     * @param records null if letters have nothing of their records
     * @param maxRecords the most letters
     */
    void fill(@Nullable SourceRecords records, int maxRecords) {
        DeadLetterBatches letters = batches;
        int left = maxRecords;
        while (whole < ranges.size() && left > 0) {
            DeadRange range = ranges.get(whole);
            Uuid id = range.topicId();
            Topic source = id == null ? null : topics.find(id);
            if (letters != null && source != null) { // the runs of a topic that was deleted are gone soon
                int partition = partitionOf(source, range.queueId());
                for (until = range.first(); until <= range.last(); until++, left--) {
                    if (left == 0 || !add(letters, source.name(), partition, range, records)) {
                        return;
                    }
                }
            }
            whole++;
        }
        until = 0;
    }

    private boolean add(
            DeadLetterBatches letters, String source, int partition, DeadRange range, @Nullable SourceRecords records) {
        RecordView record = records == null ? null : records.find(range.queueId(), until, range.last());
        DeadLetterBatches.Added added = letters.add(source, partition, range, until, record);
        impossible += added == DeadLetterBatches.Added.IMPOSSIBLE ? 1 : 0;
        return added != DeadLetterBatches.Added.FULL;
    }

    private static int partitionOf(Topic topic, int queueId) {
        int[] before = {0, -1};
        topic.forEachRange((first, count) -> {
            if (queueId >= first && queueId - first < count) {
                before[1] = before[0] + queueId - first;
            }
            before[0] += count;
        });
        return before[1];
    }

    /** The number of ranges that are in the slice as a whole. */
    int whole() {
        return whole;
    }

    /** Where the range behind them must be split; 0 if none of its records is in the slice. */
    long splitAt() {
        return whole < ranges.size() && until > ranges.get(whole).first() ? until : 0;
    }

    int letters() {
        return batches == null ? 0 : batches.count();
    }

    /** The number of records that can't have a letter in this topic. */
    int impossible() {
        return impossible;
    }

    /** Stores the letters and the results of their records together or not at all. */
    AppendRequest request(ByteBuffer results, AppendRequest.Completion completion) {
        return batches == null
                ? new AppendRequest(results, AppendRequest.Wait.DURABLE, completion)
                        .addState(ShareGroups.VIEW_ID, 0, results.remaining())
                : batches.request(results, completion);
    }

    @Override
    public void close() {
        if (batches != null) {
            batches.close();
        }
    }
}
