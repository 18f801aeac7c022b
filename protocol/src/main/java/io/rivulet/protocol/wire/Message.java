package io.rivulet.protocol.wire;

import io.netty.buffer.ByteBuf;
import java.util.List;

/**
 * A message, or a struct inside one. Each has a static {@code read} from a {@link WireReader}; a message also
 * has one from a {@link ByteBuf}, which must hold the message and nothing else.
 *
 * <p>Writing is two passes: {@link #sizeInBytes} checks that the version can carry every field, and counts;
 * {@code write} then cannot fail for what the message holds. A message must not change between the two.
 */
public interface Message {
    /**
     * The exact number of bytes that {@code write} will produce.
     *
     * @throws UnsupportedFieldException where a field holds what the version cannot carry, and must not lose
     */
    int sizeInBytes(short version);

    /** Writes at the cursor, which was made for at least {@link #sizeInBytes} bytes. */
    void write(WireWriter out, short version);

    /** Appends the message, records copied. On failure the buffer's indices are as they were. */
    default void write(ByteBuf target, short version) {
        WireWriter out = WireWriter.copying(target, sizeInBytes(version));
        write(out, version);
        out.finish();
    }

    /** How many of {@link #sizeInBytes} a gathering writer would not copy. */
    default int gatheredBytes() {
        return 0;
    }

    /** Tagged fields that the schema does not know, in the order of their tags. */
    List<UnknownTag> unknownTags();
}
