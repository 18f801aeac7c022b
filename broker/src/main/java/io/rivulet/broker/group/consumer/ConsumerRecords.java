package io.rivulet.broker.group.consumer;

import io.rivulet.broker.internal.RecordBytes;
import io.rivulet.protocol.message.ConsumerGroupMetadataKey;
import io.rivulet.protocol.message.ConsumerGroupMetadataValue;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Groups of the consumer protocol as Kafka's records. They have its epoch. Stateless. */
public final class ConsumerRecords {
    private static final int GROUP = 3;
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
                default -> {
                    // members have no records
                }
            }
        }
    }

    private static byte[] group(byte[] item) {
        return RecordBytes.value(
                new ConsumerGroupMetadataValue().epoch(ConsumerEntryLayout.groupEpochOf(item)), VERSION);
    }
}
