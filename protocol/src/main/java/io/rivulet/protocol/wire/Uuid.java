package io.rivulet.protocol.wire;

import java.nio.ByteBuffer;
import java.util.Base64;

/**
 * The 128-bit id of a topic or group member. Immutable.
 *
 * <p>It has an order for {@link java.util.HashMap}: clients may send any number of ids that have the same hash, and the
 * map makes a tree of those if it can compare them.
 */
public record Uuid(long mostSignificantBits, long leastSignificantBits) implements Comparable<Uuid> {
    public static final int SIZE_BYTES = 16;

    /** The value for no id. */
    public static final Uuid ZERO = new Uuid(0, 0);

    @Override
    public int compareTo(Uuid other) {
        int high = Long.compare(mostSignificantBits, other.mostSignificantBits);
        return high != 0 ? high : Long.compare(leastSignificantBits, other.leastSignificantBits);
    }

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
