package io.rivulet.broker.json;

import java.util.Locale;

/**
 * Text of unknown origin for a terminal or a log. Characters that end a line, move the cursor, change the direction of
 * text or can't be seen are escaped as in JSON. Stateless.
 */
public final class PlainText {
    private static final int DELETE = 0x7f;
    private static final int MAX_SHORT = 0xffff;

    private PlainText() {}

    public static boolean isPlain(int codePoint) {
        if (codePoint < DELETE) {
            return codePoint >= ' ';
        }
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            default -> true;
        };
    }

    /** Whether the text would stay as it is. */
    public static boolean isPlain(String text) {
        return text.codePoints().allMatch(PlainText::isPlain);
    }

    /** The text itself if it is plain. */
    public static String of(String text) {
        if (isPlain(text)) {
            return text;
        }
        StringBuilder plain = new StringBuilder(text.length());
        text.codePoints().forEach(point -> {
            if (isPlain(point)) {
                plain.appendCodePoint(point);
            } else {
                plain.append(String.format(Locale.ROOT, point > MAX_SHORT ? "\\u{%x}" : "\\u%04x", point));
            }
        });
        return plain.toString();
    }
}
