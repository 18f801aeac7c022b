package io.rivulet.broker.coordinator;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Text in log entries of coordinators: its length in two bytes, big-endian, and UTF-8. The length of no text is -1. */
public final class EntryText {
    private static final short NO_TEXT = -1;

    private EntryText() {}

    /** The most bytes that {@link #put} writes. */
    public static int maxBytes(@Nullable String text) {
        return Short.BYTES + (text == null ? 0 : 3 * text.length());
    }

    /** @throws IllegalArgumentException if the text is too long, which requests can't have */
    public static void put(ByteBuffer entry, @Nullable String text) {
        if (text == null) {
            entry.putShort(NO_TEXT);
        } else {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            if (bytes.length > Short.MAX_VALUE) {
                throw new IllegalArgumentException("a text of " + bytes.length + " bytes in an entry of the log");
            }
            entry.putShort((short) bytes.length).put(bytes);
        }
    }

    public static String take(ByteBuffer entry) {
        return Objects.requireNonNull(takeOrNull(entry), "a text is missing");
    }

    public static @Nullable String takeOrNull(ByteBuffer entry) {
        short length = entry.getShort();
        if (length == NO_TEXT) {
            return null;
        }
        byte[] bytes = new byte[length];
        entry.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
