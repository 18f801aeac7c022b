package io.rivulet.broker.group;

import io.rivulet.broker.coordinator.CoordinatorClock;
import io.rivulet.broker.group.classic.ClassicRecords;
import io.rivulet.broker.group.consumer.ConsumerGroup;
import io.rivulet.broker.group.consumer.ConsumerRecords;
import io.rivulet.broker.group.offset.CommittedOffsets;
import io.rivulet.broker.internal.RecordBytes;
import io.rivulet.broker.internal.RecordSink;
import io.rivulet.broker.topic.Topic;
import io.rivulet.broker.topic.TopicCatalogue;
import io.rivulet.protocol.message.GroupMetadataKey;
import io.rivulet.protocol.message.OffsetCommitKey;
import io.rivulet.protocol.message.OffsetCommitValue;
import io.rivulet.protocol.wire.Uuid;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Writes groups, except share groups, and committed offsets as the records of {@code __consumer_offsets}, in the
 * versions that Kafka's broker writes and old readers know. Offsets of a topic that was deleted have no records.
 *
 * <p>Owned by: the coordinator thread.
 */
final class GroupRecords {
    private static final int OFFSET = 1;
    private static final int GROUP = 2;
    private static final int OFFSET_VERSION = 3;
    /** The only version with an expiry. */
    private static final int EXPIRING_VERSION = 1;

    private static final int GROUP_VERSION = 3;

    private final RecordSink log;
    private final TopicCatalogue topics;
    private final CoordinatorClock clock;
    /** The last topic: most entries have one. */
    private @Nullable Uuid lastId;

    private @Nullable String lastName;

    GroupRecords(RecordSink log, TopicCatalogue topics, CoordinatorClock clock) {
        this.log = log;
        this.topics = topics;
        this.clock = clock;
    }

    /** Whether there is a reader. */
    boolean areRead() {
        return log.isRead();
    }

    boolean areFull() {
        return log.isFull();
    }

    void flush() {
        lastId = null;
        log.flush();
    }

    // ---- groups ----

    /** Writes the image, or the items of a consumer group that have changed. */
    void image(GroupSlot slot, byte type, ByteBuffer body) {
        if (type == GroupEntryLayout.GROUP) {
            byte[] value = RecordBytes.value(ClassicRecords.metadata(body), GROUP_VERSION);
            log.put(slot.id, clock.stampMillis(), groupKey(slot.id), value);
        } else if (type == GroupEntryLayout.CONSUMER_GROUP) {
            consumerRecords(slot).write(body);
        }
    }

    private ConsumerRecords consumerRecords(GroupSlot slot) {
        long millis = clock.stampMillis();
        return new ConsumerRecords(
                slot.id,
                slot.group instanceof ConsumerGroup group ? group : null,
                (key, value) -> log.put(slot.id, millis, key, value));
    }

    /** Deletes the records of the slot's image, if it has one. */
    void imageRemoved(GroupSlot slot) {
        if (slot.image != null && slot.imageType == GroupEntryLayout.GROUP) {
            log.put(slot.id, clock.stampMillis(), groupKey(slot.id), null);
        } else if (slot.image != null && slot.imageType == GroupEntryLayout.CONSUMER_GROUP) {
            consumerRecords(slot).remove(slot.image.bytes());
        }
    }

    private static byte[] groupKey(String groupId) {
        return RecordBytes.key(GROUP, new GroupMetadataKey().group(groupId));
    }

    // ---- offsets ----

    /** Writes the row. */
    void offset(GroupSlot slot, int row) {
        CommittedOffsets offsets = slot.offsets;
        String topic = name(offsets.topicId(row));
        if (topic == null) {
            return;
        }
        long expiryMillis = offsets.ownExpiryMillis(row);
        OffsetCommitValue value = new OffsetCommitValue()
                .offset(offsets.offset(row))
                .leaderEpoch(offsets.leaderEpoch(row))
                .metadata(offsets.text(row))
                .commitTimestamp(offsets.commitMillis(row))
                .expireTimestamp(expiryMillis);
        int version = expiryMillis == CommittedOffsets.BY_RETENTION ? OFFSET_VERSION : EXPIRING_VERSION;
        log.put(
                slot.id,
                offsets.commitMillis(row),
                offsetKey(slot.id, topic, offsets.partition(row)),
                RecordBytes.value(value, version));
    }

    /** Writes the offset as it is now, or deletes its record. */
    void offset(GroupSlot slot, Uuid topicId, int partition) {
        int row = slot.offsets.row(topicId, partition);
        String topic = row == CommittedOffsets.NONE ? name(topicId) : null;
        if (row != CommittedOffsets.NONE) {
            offset(slot, row);
        } else if (topic != null) {
            log.put(slot.id, clock.stampMillis(), offsetKey(slot.id, topic, partition), null);
        }
    }

    /** Deletes the records of all offsets of the slot. */
    void offsetsRemoved(GroupSlot slot) {
        long millis = clock.stampMillis();
        slot.offsets.forEach((topicId, partition, offset, leaderEpoch, text, commitMillis) -> {
            String topic = name(topicId);
            if (topic != null) {
                log.put(slot.id, millis, offsetKey(slot.id, topic, partition), null);
            }
        });
    }

    private static byte[] offsetKey(String groupId, String topic, int partition) {
        return RecordBytes.key(
                OFFSET, new OffsetCommitKey().group(groupId).topic(topic).partition(partition));
    }

    private @Nullable String name(Uuid topicId) {
        if (!topicId.equals(lastId)) {
            Topic topic = topics.find(topicId);
            lastId = topicId;
            lastName = topic == null ? null : topic.name();
        }
        return lastName;
    }
}
