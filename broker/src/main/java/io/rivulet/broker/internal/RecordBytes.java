package io.rivulet.broker.internal;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.rivulet.protocol.wire.Message;

/**
 * Keys and values of records in internal topics: a short, and a message.
 *
 * <pre>
 * key:   | type of the record 2 | message in version 0 |
 * value: | version of the message 2 | message |
 * </pre>
 *
 * Stateless.
 */
public final class RecordBytes {
    private static final short KEY_VERSION = 0;

    private RecordBytes() {}

    public static byte[] key(int type, Message key) {
        return bytes(type, key, KEY_VERSION);
    }

    public static byte[] value(Message value, int version) {
        return bytes(version, value, (short) version);
    }

    private static byte[] bytes(int prefix, Message message, short version) {
        ByteBuf out = Unpooled.buffer(Short.BYTES + message.sizeInBytes(version));
        out.writeShort(prefix);
        message.write(out, version);
        byte[] bytes = new byte[out.readableBytes()];
        out.readBytes(bytes);
        return bytes;
    }
}
