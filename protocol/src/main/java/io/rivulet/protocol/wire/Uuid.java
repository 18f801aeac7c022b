package io.rivulet.protocol.wire;

import java.nio.ByteBuffer;
import java.util.Base64;

/** The 128-bit id of a topic or group member. Immutable. */
public record Uuid(long mostSignificantBits, long leastSignificantBits) {
    public static final int SIZE_BYTES = 16;

    /** The value for no id. */
    public static final Uuid ZERO = new Uuid(0, 0);

    /** The form that command line tools print: URL-safe base64 without padding. */
    @Override
    public String toString() {
        byte[] bytes = ByteBuffer.allocate(SIZE_BYTES)
                .putLong(mostSignificantBits)
                .putLong(leastSignificantBits)
                .array();
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** Parses the form of {@link #toString}; any other text is an {@link IllegalArgumentException}. */
    public static Uuid parse(String text) {
        byte[] bytes = Base64.getUrlDecoder().decode(text);
        if (bytes.length != SIZE_BYTES) {
            throw new IllegalArgumentException("A uuid has " + SIZE_BYTES + " bytes, not " + bytes.length);
        }
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        return new Uuid(buffer.getLong(), buffer.getLong());
    }
}
