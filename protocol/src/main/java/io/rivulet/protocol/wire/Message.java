package io.rivulet.protocol.wire;

import io.netty.buffer.ByteBuf;
import java.util.List;

/**
 * A message, or a struct in one. Each has a static {@code read} from a {@link WireReader}; a message also has one from
 * a {@link ByteBuf} with the message and nothing else.
 *
 * <p>To write takes two passes. {@link #sizeInBytes} checks that the version can carry each field, and counts. Then
 * {@code write} can't fail because of the content. A message must not change in between.
 */
public interface Message {
    /**
     * The exact number of bytes that {@code write} will write.
     *
     * @throws UnsupportedFieldException if the version can't carry a field that must not be lost
     */
    int sizeInBytes(short version);

    /** Writes to the cursor, which has room for {@link #sizeInBytes} bytes. */
    void write(WireWriter out, short version);

    /** Appends the message and copies its records. After a failure, the buffer's indices are unchanged. */
    default void write(ByteBuf target, short version) {
        WireWriter out = WireWriter.copying(target, sizeInBytes(version));
        write(out, version);
        out.finish();
    }

    /** The error code of a response as a whole; 0 for none, and if it has no such field. */
    default short errorCode() {
        return 0;
    }

    /** Sets the field for the time that the client must wait. Without effect if the message has none. */
    default Message throttleTimeMs(int millis) {
        return this;
    }

    /** The bytes of {@link #sizeInBytes} that a gathering writer does not copy. */
    default int gatheredBytes() {
        return 0;
    }

    /** Tagged fields that the schema does not know, in the order of their tags. */
    List<UnknownTag> unknownTags();
}
