package io.rivulet.bench.million;

import java.nio.ByteBuffer;

/** A message of a Java producer: its queue and its number in the queue. Stateless. */
final class Message {
    static final int PER_QUEUE = 10;
    private static final int BYTES = 58;

    private Message() {}

    static byte[] value(int queue, int number) {
        return ByteBuffer.allocate(BYTES).putInt(queue).putInt(number).array();
    }

    static boolean is(byte[] value, int queue, int number) {
        return value.length == BYTES
                && ByteBuffer.wrap(value).getInt() == queue
                && ByteBuffer.wrap(value).getInt(Integer.BYTES) == number;
    }
}
