package io.rivulet.broker.group.consumer;

import io.rivulet.broker.group.base.Items;
import io.rivulet.broker.internal.RecordBytes;
import io.rivulet.broker.topic.Topic;
import io.rivulet.protocol.message.ConsumerGroupCurrentMemberAssignmentKey;
import io.rivulet.protocol.message.ConsumerGroupCurrentMemberAssignmentValue;
import io.rivulet.protocol.message.ConsumerGroupCurrentMemberAssignmentValue.TopicPartitions;
import io.rivulet.protocol.message.ConsumerGroupMemberMetadataKey;
import io.rivulet.protocol.message.ConsumerGroupMemberMetadataValue;
import io.rivulet.protocol.message.ConsumerGroupMemberMetadataValue.ClassicMemberMetadata;
import io.rivulet.protocol.message.ConsumerGroupMemberMetadataValue.ClassicProtocol;
import io.rivulet.protocol.message.ConsumerGroupMetadataKey;
import io.rivulet.protocol.message.ConsumerGroupMetadataValue;
import io.rivulet.protocol.message.ConsumerGroupTargetAssignmentMemberKey;
import io.rivulet.protocol.message.ConsumerGroupTargetAssignmentMemberValue;
import io.rivulet.protocol.message.ConsumerGroupTargetAssignmentMemberValue.TopicPartition;
import io.rivulet.protocol.message.ConsumerGroupTargetAssignmentMetadataKey;
import io.rivulet.protocol.message.ConsumerGroupTargetAssignmentMetadataValue;
import io.rivulet.protocol.wire.Message;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * A group of the consumer protocol as Kafka's records: each item of {@link ConsumerEntryLayout} is one or two of them.
 * Queues of topics that the group does not know are omitted.
 *
 * <p>Owned by: the coordinator thread.
 *
 * @param group knows the topics of queues; null if nothing does
 */
public record ConsumerRecords(String groupId, @Nullable ConsumerGroup group, Records out) {
    private static final int GROUP = 3;
    private static final int MEMBER = 5;
    private static final int TARGET_EPOCH = 6;
    private static final int TARGET = 7;
    private static final int CURRENT = 8;
    /** Of all values. */
    private static final int VERSION = 0;

    /** Receives the records. */
    @FunctionalInterface
    public interface Records {
        /** @param value null if the key is deleted */
        void record(byte[] key, byte @Nullable [] value);
    }

    /** Writes the records of the items, from position to limit. */
    public void write(ByteBuffer items) {
        while (items.hasRemaining()) {
            byte[] item = Items.takeItem(items);
            switch (Items.typeOf(item)) {
                case Items.EPOCHS -> writeEpochs(item);
                case Items.MEMBER -> writeMember(ConsumerEntryLayout.readMember(item));
                case Items.CURRENT -> writeCurrent(item);
                case Items.TARGET -> writeTarget(item);
                default -> remove(item);
            }
        }
    }

    /** Deletes the records of the items, from position to limit. */
    public void remove(ByteBuffer items) {
        while (items.hasRemaining()) {
            remove(Items.takeItem(items));
        }
    }

    private void remove(byte[] item) {
        switch (Items.typeOf(item)) {
            case Items.EPOCHS -> {
                put(TARGET_EPOCH, new ConsumerGroupTargetAssignmentMetadataKey().groupId(groupId), null);
                put(GROUP, new ConsumerGroupMetadataKey().groupId(groupId), null);
            }
            case Items.MEMBER, Items.MEMBER_REMOVED -> {
                String id = Items.memberIdOf(item);
                put(CURRENT, currentKey(id), null);
                put(TARGET, targetKey(id), null);
                put(
                        MEMBER,
                        new ConsumerGroupMemberMetadataKey().groupId(groupId).memberId(id),
                        null);
            }
            default -> {
                // goes with its member
            }
        }
    }

    private void writeEpochs(byte[] item) {
        put(
                GROUP,
                new ConsumerGroupMetadataKey().groupId(groupId),
                new ConsumerGroupMetadataValue().epoch(ConsumerEntryLayout.groupEpochOf(item)));
        put(
                TARGET_EPOCH,
                new ConsumerGroupTargetAssignmentMetadataKey().groupId(groupId),
                new ConsumerGroupTargetAssignmentMetadataValue()
                        .assignmentEpoch(ConsumerEntryLayout.targetEpochOf(item)));
    }

    private void writeMember(ConsumerMember member) {
        put(
                MEMBER,
                new ConsumerGroupMemberMetadataKey().groupId(groupId).memberId(member.id),
                new ConsumerGroupMemberMetadataValue()
                        .instanceId(member.instanceId)
                        .rackId(member.rackId)
                        .clientId(member.clientId)
                        .clientHost(member.clientHost)
                        .subscribedTopicNames(member.subscription.names())
                        .subscribedTopicRegex(member.subscription.regex())
                        .rebalanceTimeoutMs(member.rebalanceTimeoutMillis)
                        .serverAssignor(member.assignor)
                        .classicMemberMetadata(member.classic == null ? null : classic(member.classic)));
    }

    private static ClassicMemberMetadata classic(ClassicMetadata metadata) {
        return new ClassicMemberMetadata()
                .sessionTimeoutMs(metadata.sessionTimeoutMillis())
                .supportedProtocols(metadata.protocols().stream()
                        .map(protocol ->
                                new ClassicProtocol().name(protocol.name()).metadata(protocol.metadata()))
                        .toList());
    }

    private void writeCurrent(byte[] item) {
        ConsumerMember member = new ConsumerMember(Items.memberIdOf(item));
        ConsumerEntryLayout.readCurrent(item, member);
        put(
                CURRENT,
                currentKey(member.id),
                new ConsumerGroupCurrentMemberAssignmentValue()
                        .memberEpoch(member.epoch)
                        .previousMemberEpoch(member.previousEpoch)
                        .state(member.state.number)
                        .assignedPartitions(current(member.assigned, member.since))
                        .partitionsPendingRevocation(current(member.revoking, member.since)));
    }

    private List<TopicPartitions> current(QueueSet queues, AssignmentEpochs since) {
        return byTopic(
                queues,
                (topic, partitions) -> new TopicPartitions()
                        .topicId(topic.id())
                        .partitions(partitions)
                        .assignmentEpochs(Arrays.stream(partitions)
                                .map(partition -> since.epochOf(topic.queueId(partition)))
                                .toArray()));
    }

    private void writeTarget(byte[] item) {
        ConsumerMember member = new ConsumerMember(Items.memberIdOf(item));
        ConsumerEntryLayout.readTarget(item, member);
        put(
                TARGET,
                targetKey(member.id),
                new ConsumerGroupTargetAssignmentMemberValue()
                        .topicPartitions(byTopic(
                                member.target,
                                (topic, partitions) ->
                                        new TopicPartition().topicId(topic.id()).partitions(partitions))));
    }

    private <T> List<T> byTopic(QueueSet queues, BiFunction<Topic, int[], T> make) {
        return group == null ? List.of() : group.topics().byTopic(queues, make);
    }

    private ConsumerGroupCurrentMemberAssignmentKey currentKey(String memberId) {
        return new ConsumerGroupCurrentMemberAssignmentKey().groupId(groupId).memberId(memberId);
    }

    private ConsumerGroupTargetAssignmentMemberKey targetKey(String memberId) {
        return new ConsumerGroupTargetAssignmentMemberKey().groupId(groupId).memberId(memberId);
    }

    private void put(int type, Message key, @Nullable Message value) {
        out.record(RecordBytes.key(type, key), value == null ? null : RecordBytes.value(value, VERSION));
    }
}
