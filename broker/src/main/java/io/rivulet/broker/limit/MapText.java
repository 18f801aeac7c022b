package io.rivulet.broker.limit;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A text for a map of texts that a client has sent: the same for equal maps, and different for different ones. As a key
 * it can be compared, so a {@link java.util.HashMap} is fast for texts with one hash. It is not for maps as keys.
 * Stateless.
 */
public final class MapText {
    private MapText() {}

    public static String of(Map<String, ? extends @Nullable String> map) {
        if (map.isEmpty()) {
            return "";
        }
        StringBuilder text = new StringBuilder();
        new TreeMap<String, @Nullable String>(map).forEach((key, value) -> {
            append(text, key);
            if (value == null) {
                text.append('-');
            } else {
                append(text, value);
            }
        });
        return text.toString();
    }

    private static void append(StringBuilder text, String part) {
        text.append(part.length()).append(':').append(part);
    }
}
