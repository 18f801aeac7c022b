package io.rivulet.protocol.record;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * An iterator over the headers of a record that a cursor has checked. Allocates only the results of {@code key} and
 * {@code value}.
 */
public final class RecordHeaders {
    private ByteBuf buffer = Unpooled.EMPTY_BUFFER;
    private int index;
    private int left;
    private int keyIndex;
    private int keyLength;
    private int valueIndex;
    private int valueLength;

    RecordHeaders() {}

    void begin(ByteBuf buffer, int index, int count) {
        this.buffer = buffer;
        this.index = index;
        this.left = count;
    }

    /** Moves to the next header. */
    public boolean next() {
        if (left == 0) {
            return false;
        }
        left--;
        keyLength = readVarint();
        keyIndex = index;
        index += keyLength;
        valueLength = readVarint();
        valueIndex = index;
        index += Math.max(valueLength, 0);
        return true;
    }

    /** Where the key starts in the record's buffer. */
    public int keyIndex() {
        return keyIndex;
    }

    public int keyLength() {
        return keyLength;
    }

    public String key() {
        return buffer.toString(keyIndex, keyLength, StandardCharsets.UTF_8);
    }

    /** Where the value starts in the record's buffer. */
    public int valueIndex() {
        return valueIndex;
    }

    /** {@link RecordView#NULL_LENGTH} for a null value. */
    public int valueLength() {
        return valueLength;
    }

    /** A view of the value that is not retained. */
    public @Nullable ByteBuf value() {
        return valueLength == RecordView.NULL_LENGTH ? null : buffer.slice(valueIndex, valueLength);
    }

    private int readVarint() {
        int raw = 0;
        int shift = 0;
        byte group;
        do {
            group = buffer.getByte(index++);
            raw |= (group & 0x7f) << shift;
            shift += 7;
        } while (group < 0);
        return Varints.unzigzag(raw);
    }
}
