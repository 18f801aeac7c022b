package io.rivulet.broker.top;

/** Text in columns of a terminal. Stateless. */
final class Names {
    private static final int FIRST_WIDE = 0x1100;
    private static final char CUT = '~';

    private Names() {}

    /** The start of the text that takes at most this many columns. The last one is ~ if there is more. */
    static String cut(String text, int columns) {
        int used = 0;
        for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
            used += columns(text.codePointAt(i));
            if (used > columns) {
                return columns == 0 ? "" : start(text, columns - 1) + CUT;
            }
        }
        return text;
    }

    private static String start(String text, int columns) {
        int used = 0;
        int end = 0;
        while (end < text.length()) {
            int point = text.codePointAt(end);
            used += columns(point);
            if (used > columns) {
                break;
            }
            end += Character.charCount(point);
        }
        return text.substring(0, end);
    }

    /** The columns of the text, or a few more. */
    static int width(String text) {
        return text.codePoints().map(Names::columns).sum();
    }

    /** Letters of Asia take two columns. To take others for wide does no harm. */
    private static int columns(int point) {
        return point < FIRST_WIDE ? 1 : 2;
    }

    /** Cut to this number of columns, or filled up with spaces. */
    static String padded(String text, int columns) {
        String cut = cut(text, columns);
        return cut + " ".repeat(columns - width(cut));
    }
}
