package io.rivulet.protocol.record;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.jspecify.annotations.Nullable;

/**
 * A record, read in place. A flyweight that is valid until the next {@link RecordCursor#next}. Owned by the cursor's
 * thread.
 */
public final class RecordView {
    /** The length of a key or value that is null. */
    public static final int NULL_LENGTH = -1;

    private final RecordHeaders headers = new RecordHeaders();

    ByteBuf buffer = Unpooled.EMPTY_BUFFER;
    long offset;
    long timestamp;
    int offsetDelta;
    long timestampDelta;
    int keyIndex;
    int keyLength;
    int valueIndex;
    int valueLength;
    int headerCount;
    int headersIndex;
    int endIndex;

    RecordView() {}

    /** The buffer with key, value and headers: the batch's own, or the cursor's if the batch is compressed. */
    public ByteBuf buffer() {
        return buffer;
    }

    public long offset() {
        return offset;
    }

    public int offsetDelta() {
        return offsetDelta;
    }

    /** The producer's timestamp, or the batch's max timestamp if the broker set the time. */
    public long timestamp() {
        return timestamp;
    }

    public long timestampDelta() {
        return timestampDelta;
    }

    public boolean hasKey() {
        return keyLength != NULL_LENGTH;
    }

    /** Where the key starts in {@link #buffer}. */
    public int keyIndex() {
        return keyIndex;
    }

    /** {@link #NULL_LENGTH} for a null key. */
    public int keyLength() {
        return keyLength;
    }

    /** A view of the key that is not retained. */
    public @Nullable ByteBuf key() {
        return keyLength == NULL_LENGTH ? null : buffer.slice(keyIndex, keyLength);
    }

    public boolean hasValue() {
        return valueLength != NULL_LENGTH;
    }

    /** Where the value starts in {@link #buffer}. */
    public int valueIndex() {
        return valueIndex;
    }

    /** {@link #NULL_LENGTH} for a null value. */
    public int valueLength() {
        return valueLength;
    }

    /** A view of the value that is not retained. */
    public @Nullable ByteBuf value() {
        return valueLength == NULL_LENGTH ? null : buffer.slice(valueIndex, valueLength);
    }

    public int headerCount() {
        return headerCount;
    }

    /** An iterator over the headers. One object, which each call restarts. */
    public RecordHeaders headers() {
        headers.begin(buffer, headersIndex, headerCount);
        return headers;
    }
}
