package io.rivulet.broker.group.consumer;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.topic.Topic;
import io.rivulet.broker.topic.TopicCatalogue;
import io.rivulet.protocol.message.ConsumerProtocolAssignment;
import io.rivulet.protocol.message.ConsumerProtocolSubscription;
import io.rivulet.protocol.wire.MalformedRequestException;
import io.rivulet.protocol.wire.WireReader;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The messages that consumers of the classic protocol embed in JoinGroup and SyncGroup: a version in two bytes, and a
 * message of that version. Newer clients may append more fields. Pure functions.
 */
final class EmbeddedProtocol {
    private EmbeddedProtocol() {}

    static ConsumerProtocolSubscription subscription(byte[] metadata) {
        try {
            ByteBuf bytes = Unpooled.wrappedBuffer(metadata);
            short version = version(bytes, ConsumerProtocolSubscription.HIGHEST_VERSION);
            return ConsumerProtocolSubscription.read(new WireReader(bytes.slice()), version);
        } catch (MalformedRequestException | IndexOutOfBoundsException e) {
            throw new RefusedException(
                    ErrorCode.INCONSISTENT_GROUP_PROTOCOL, "The subscription of a consumer can't be read.");
        }
    }

    private static short version(ByteBuf bytes, short highest) {
        return (short) Math.max(0, Math.min(highest, bytes.readShort()));
    }

    /** The queues that the member says it owns. */
    static QueueSet owned(ConsumerProtocolSubscription subscription, TopicCatalogue topics) {
        QueueSet.Builder queues = new QueueSet.Builder();
        for (ConsumerProtocolSubscription.TopicPartition owned : subscription.ownedPartitions()) {
            add(topics.find(owned.topic()), owned.partitions(), queues);
        }
        return queues.build();
    }

    /**
     * The queues of an assignment that a leader made.
     *
     * @throws RefusedException if a client-side assignor has put user data in it, which would be lost
     */
    static QueueSet assigned(byte[] assignment, TopicCatalogue topics) {
        if (assignment.length == 0) {
            return QueueSet.EMPTY;
        }
        try {
            ByteBuf bytes = Unpooled.wrappedBuffer(assignment);
            short version = version(bytes, ConsumerProtocolAssignment.HIGHEST_VERSION);
            ConsumerProtocolAssignment read = ConsumerProtocolAssignment.read(new WireReader(bytes.slice()), version);
            byte[] userData = read.userData();
            if (userData != null && userData.length > 0) {
                throw new RefusedException(
                        ErrorCode.GROUP_ID_NOT_FOUND,
                        "The group can't change to the consumer protocol: its assignor adds user data.");
            }
            QueueSet.Builder queues = new QueueSet.Builder();
            for (ConsumerProtocolAssignment.TopicPartition one : read.assignedPartitions()) {
                add(topics.find(one.topic()), one.partitions(), queues);
            }
            return queues.build();
        } catch (MalformedRequestException | IndexOutOfBoundsException e) {
            throw new RefusedException(
                    ErrorCode.GROUP_ID_NOT_FOUND,
                    "The group can't change to the consumer protocol: an assignment can't be read.");
        }
    }

    private static void add(@Nullable Topic topic, int[] partitions, QueueSet.Builder queues) {
        for (int partition : partitions) {
            int queueId = topic == null ? Topic.NO_QUEUE : topic.queueId(partition);
            if (queueId != Topic.NO_QUEUE) {
                queues.add(queueId);
            }
        }
    }

    /** An assignment in the encoding for a client that sent this metadata. */
    static byte[] assignment(QueueSet queues, GroupTopics topics, byte[] metadata) {
        short version = version(Unpooled.wrappedBuffer(metadata), ConsumerProtocolAssignment.HIGHEST_VERSION);
        List<ConsumerProtocolAssignment.TopicPartition> results = topics.byTopic(
                queues,
                (topic, partitions) -> new ConsumerProtocolAssignment.TopicPartition()
                        .topic(topic.name())
                        .partitions(partitions));
        ConsumerProtocolAssignment message = new ConsumerProtocolAssignment().assignedPartitions(results);
        ByteBuf bytes = Unpooled.buffer(Short.BYTES + message.sizeInBytes(version));
        bytes.writeShort(version);
        message.write(bytes, version);
        byte[] assignment = new byte[bytes.readableBytes()];
        bytes.readBytes(assignment);
        return assignment;
    }
}
