package io.rivulet.broker.json;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * JSON on one line. What is not {@link PlainText} is escaped, so a text of a client can neither end a line nor control
 * a terminal. Stateless.
 */
public final class JsonText {
    private static final String HEX = "0123456789abcdef";

    private JsonText() {}

    /** An object whose members keep this order. */
    public static Map<String, @Nullable Object> object(@Nullable Object... namesAndValues) {
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            object.put(String.valueOf(namesAndValues[i]), namesAndValues[i + 1]);
        }
        return object;
    }

    /**
     * @param value null, a map, an {@link Iterable}, an array of ints, a {@link Number} or a {@link Boolean}; anything
     *     else is written as the text of its {@code toString}
     */
    public static String of(@Nullable Object value) {
        StringBuilder out = new StringBuilder();
        append(out, value);
        return out.toString();
    }

    private static void append(StringBuilder out, @Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            appendObject(out, map);
        } else if (value instanceof Iterable<?> items) {
            char before = '[';
            for (Object item : items) {
                append(out.append(before), item);
                before = ',';
            }
            out.append(before == '[' ? "[]" : "]");
        } else if (value instanceof int[] numbers) {
            char before = '[';
            for (int number : numbers) {
                out.append(before).append(number);
                before = ',';
            }
            out.append(before == '[' ? "[]" : "]");
        } else if (value == null || value instanceof Boolean || isFinite(value)) {
            out.append(value);
        } else {
            quote(out, value.toString());
        }
    }

    private static void appendObject(StringBuilder out, Map<?, ?> map) {
        char before = '{';
        for (Map.Entry<?, ?> member : map.entrySet()) {
            quote(out.append(before), String.valueOf(member.getKey()));
            append(out.append(':'), member.getValue());
            before = ',';
        }
        out.append(before == '{' ? "{}" : "}");
    }

    /** JSON has no number for infinity. */
    private static boolean isFinite(Object value) {
        return value instanceof Number number && Double.isFinite(number.doubleValue());
    }

    /** Appends the text in quotes. */
    public static void quote(StringBuilder out, CharSequence text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"', '\\' -> out.append('\\').append(c);
                case '\n' -> out.append("\\n");
                case '\t' -> out.append("\\t");
                case '\r' -> out.append("\\r");
                default -> {
                    // The two halves of a surrogate pair are one character, which JSON needs not escape.
                    if (Character.isSurrogate(c) || PlainText.isPlain(c)) {
                        out.append(c);
                    } else {
                        escape(out, c);
                    }
                }
            }
        }
        out.append('"');
    }

    private static void escape(StringBuilder out, char c) {
        out.append("\\u");
        for (int shift = 12; shift >= 0; shift -= 4) {
            out.append(HEX.charAt((c >> shift) & 15));
        }
    }
}
