package io.rivulet.bench.load;

import io.rivulet.bench.lab.BrokerFailedException;
import io.rivulet.protocol.wire.WireSize;
import java.nio.ByteBuffer;

/**
 * Checks responses to Produce v9 for errors. Stateless.
 *
 * <pre>
 *   length 4 | correlation id 4 | tags 1 | topics varint | topic... | throttle 4 | tags
 *   topic: name varint + bytes | partitions varint | partition... | tags 1
 *   partition: index 4 | error 2 | base offset 8 | log append time 8 | log start offset 8
 *              | record errors 1 | message 1 | tags 1
 * </pre>
 */
final class ProduceResponses {
    private static final int TOPICS_AT = 9;
    private static final int PARTITION_BYTES = 33;
    private static final int ERROR_AT = 4;

    private ProduceResponses() {}

    static void check(ByteBuffer buffer, int start) throws BrokerFailedException {
        int at = start + TOPICS_AT;
        int topics = varint(buffer, at) - 1;
        at += WireSize.unsignedVarint(topics + 1);
        for (int i = 0; i < topics; i++) {
            at = checkTopic(buffer, at) + 1;
        }
    }

    /** Returns the index of the topic's tags. */
    private static int checkTopic(ByteBuffer buffer, int start) throws BrokerFailedException {
        int nameLength = varint(buffer, start) - 1;
        int at = start + WireSize.unsignedVarint(nameLength + 1) + nameLength;
        int partitions = varint(buffer, at) - 1;
        at += WireSize.unsignedVarint(partitions + 1);
        for (int i = 0; i < partitions; i++, at += PARTITION_BYTES) {
            short error = buffer.getShort(at + ERROR_AT);
            if (error != 0) {
                throw new BrokerFailedException("partition " + buffer.getInt(at) + " has error " + error);
            }
        }
        return at;
    }

    private static int varint(ByteBuffer buffer, int at) {
        int value = 0;
        for (int i = 0, shift = 0; ; i++, shift += 7) {
            byte next = buffer.get(at + i);
            value |= (next & 0x7F) << shift;
            if (next >= 0) {
                return value;
            }
        }
    }
}
