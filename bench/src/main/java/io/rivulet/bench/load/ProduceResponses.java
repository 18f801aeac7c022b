package io.rivulet.bench.load;

import io.rivulet.bench.lab.BrokerFailedException;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;

/**
 * Reads responses to Produce v9, and looks only for errors: the load must cost little. Confined to one thread.
 *
 * <pre>
 *   length 4 | correlation id 4 | tags 1 | topics varint | topic... | throttle 4 | tags
 *   topic: name varint + bytes | partitions varint | partition... | tags 1
 *   partition: index 4 | error 2 | base offset 8 | log append time 8 | log start offset 8 | record errors 1 | message 1 | tags 1
 * </pre>
 */
public final class ProduceResponses {
    private static final int BUFFER_BYTES = 1 << 20;
    private static final int TOPICS_AT = 9;
    private static final int PARTITION_BYTES = 33;
    private static final int ERROR_AT = 4;

    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES).flip();

    /** Waits until there is at least one response, and returns how many there were. */
    public int readSome(ReadableByteChannel channel) throws IOException, BrokerFailedException {
        int count = 0;
        while (count == 0) {
            buffer.compact();
            if (channel.read(buffer) < 0) {
                throw new EOFException("the broker closed the connection");
            }
            buffer.flip();
            while (buffer.remaining() >= Integer.BYTES
                    && buffer.remaining() >= Integer.BYTES + buffer.getInt(buffer.position())) {
                int end = buffer.position() + Integer.BYTES + buffer.getInt(buffer.position());
                check(buffer.position());
                buffer.position(end);
                count++;
            }
        }
        return count;
    }

    /** Drops what was received: after an error, when no other response is on its way. */
    void skip() {
        buffer.position(buffer.limit());
    }

    private void check(int start) throws BrokerFailedException {
        int at = start + TOPICS_AT;
        int topics = varint(at) - 1;
        at += varintBytes(topics + 1);
        for (int i = 0; i < topics; i++) {
            at = checkTopic(at) + 1;
        }
    }

    /** Returns where the topic's tags are. */
    private int checkTopic(int start) throws BrokerFailedException {
        int nameLength = varint(start) - 1;
        int at = start + varintBytes(nameLength + 1) + nameLength;
        int partitions = varint(at) - 1;
        at += varintBytes(partitions + 1);
        for (int i = 0; i < partitions; i++, at += PARTITION_BYTES) {
            short error = buffer.getShort(at + ERROR_AT);
            if (error != 0) {
                throw new BrokerFailedException("partition " + buffer.getInt(at) + " was answered with error " + error);
            }
        }
        return at;
    }

    private int varint(int at) {
        int value = 0;
        for (int i = 0, shift = 0; ; i++, shift += 7) {
            byte next = buffer.get(at + i);
            value |= (next & 0x7F) << shift;
            if (next >= 0) {
                return value;
            }
        }
    }

    private static int varintBytes(int value) {
        return value < 1 << 7 ? 1 : value < 1 << 14 ? 2 : value < 1 << 21 ? 3 : value < 1 << 28 ? 4 : 5;
    }
}
