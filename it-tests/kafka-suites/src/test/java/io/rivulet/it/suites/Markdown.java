package io.rivulet.it.suites;

/** Text of documents. Stateless. */
final class Markdown {
    private static final int LINE = 120;

    private Markdown() {}

    /** Lines of documents have at most 120 characters. */
    static String wrapped(String paragraph) {
        StringBuilder text = new StringBuilder();
        int column = 0;
        String indent = paragraph.startsWith("- ") ? "  " : "";
        for (String word : paragraph.split(" ")) {
            if (column > 0 && column + 1 + word.length() > LINE) {
                text.append('\n').append(indent);
                column = indent.length();
            } else if (column > 0) {
                text.append(' ');
                column++;
            }
            text.append(word);
            column += word.length();
        }
        return text.append('\n').toString();
    }

    /** Owned by: one report. */
    static final class Table {
        private final StringBuilder text = new StringBuilder();

        Table(String... titles) {
            add(titles);
            text.append("|---".repeat(titles.length)).append("|\n");
        }

        void add(String... cells) {
            text.append("| ").append(String.join(" | ", cells)).append(" |\n");
        }

        String text() {
            return text.toString();
        }
    }
}
