package io.rivulet.broker.group.consumer;

import io.rivulet.broker.internal.RecordBytes;
import io.rivulet.protocol.message.ConsumerGroupMemberMetadataKey;
import io.rivulet.protocol.message.ConsumerGroupMemberMetadataValue;
import io.rivulet.protocol.message.ConsumerGroupMemberMetadataValue.ClassicMemberMetadata;
import io.rivulet.protocol.message.ConsumerGroupMemberMetadataValue.ClassicProtocol;
import io.rivulet.protocol.message.ConsumerGroupMetadataKey;
import io.rivulet.protocol.message.ConsumerGroupMetadataValue;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Groups of the consumer protocol as Kafka's records: the epoch of the group, and its members. Stateless. */
public final class ConsumerRecords {
    private static final int GROUP = 3;
    private static final int MEMBER = 5;
    private static final int VERSION = 0;

    private ConsumerRecords() {}

    /** Receives the records. */
    @FunctionalInterface
    public interface Records {
        /** @param value null if the key is deleted */
        void record(byte[] key, byte @Nullable [] value);
    }

    /** The records of items as in {@link ConsumerEntryLayout}, from position to limit. */
    public static void write(String groupId, ByteBuffer items, boolean deleted, Records out) {
        while (items.hasRemaining()) {
            byte[] item = ConsumerEntryLayout.takeItem(items);
            switch (ConsumerEntryLayout.typeOf(item)) {
                case ConsumerEntryLayout.EPOCHS ->
                    out.record(
                            RecordBytes.key(GROUP, new ConsumerGroupMetadataKey().groupId(groupId)),
                            deleted ? null : group(item));
                case ConsumerEntryLayout.MEMBER -> out.record(memberKey(groupId, item), deleted ? null : member(item));
                case ConsumerEntryLayout.MEMBER_REMOVED -> out.record(memberKey(groupId, item), null);
                default -> {
                    // assignments have no records
                }
            }
        }
    }

    private static byte[] group(byte[] item) {
        return RecordBytes.value(
                new ConsumerGroupMetadataValue().epoch(ConsumerEntryLayout.groupEpochOf(item)), VERSION);
    }

    private static byte[] memberKey(String groupId, byte[] item) {
        return RecordBytes.key(
                MEMBER,
                new ConsumerGroupMemberMetadataKey().groupId(groupId).memberId(ConsumerEntryLayout.memberIdOf(item)));
    }

    private static byte[] member(byte[] item) {
        ConsumerMember member = ConsumerEntryLayout.readMember(item);
        String regex = member.subscription.regex();
        return RecordBytes.value(
                new ConsumerGroupMemberMetadataValue()
                        .instanceId(member.instanceId)
                        .rackId(member.rackId)
                        .clientId(member.clientId)
                        .clientHost(member.clientHost)
                        .subscribedTopicNames(member.subscription.names())
                        .subscribedTopicRegex(regex)
                        .rebalanceTimeoutMs(member.rebalanceTimeoutMillis)
                        .serverAssignor(member.assignor)
                        .classicMemberMetadata(classic(member.classic)),
                VERSION);
    }

    private static @Nullable ClassicMemberMetadata classic(@Nullable ClassicMetadata classic) {
        return classic == null
                ? null
                : new ClassicMemberMetadata()
                        .sessionTimeoutMs(classic.sessionTimeoutMillis())
                        .supportedProtocols(classic.protocols().stream()
                                .map(one ->
                                        new ClassicProtocol().name(one.name()).metadata(one.metadata()))
                                .toList());
    }
}
