package io.rivulet.broker.tool;

import io.rivulet.broker.json.JsonText;
import io.rivulet.broker.json.PlainText;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a tool prints: text as Kafka's tools print it, or one JSON document. The document is an array of rows, unless
 * the tool prints a {@link #single} object. Rows are printed at once, so there may be a million.
 *
 * <p>Owned by: the main thread.
 */
final class Output {
    private final PrintWriter out;
    private final boolean json;
    private boolean hasRows;
    private boolean hasDocument;

    /**
     * Rows of one kind. Immutable.
     *
     * @param format of the text
     * @param absent the text of a value that is null
     * @param names of the values in JSON, separated by commas
     */
    record Table(String format, String absent, String names) {}

    Output(PrintWriter out, boolean json) {
        this.out = out;
        this.json = json;
    }

    boolean isJson() {
        return json;
    }

    /** Prints text, and nothing as JSON. */
    void println(String line) {
        if (!json) {
            out.println(line);
        }
    }

    /** Prints text, and nothing as JSON. Texts among the values may be those of other clients. */
    void printf(String format, @Nullable Object... values) {
        if (!json) {
            out.printf(format, Arrays.stream(values).map(Output::plain).toArray());
        }
    }

    void row(Table table, @Nullable Object... values) {
        if (json) {
            List<String> names = List.of(table.names.split(",", -1));
            Map<String, @Nullable Object> row = new LinkedHashMap<>();
            for (int i = 0; i < values.length; i++) {
                row.put(names.get(i), values[i]);
            }
            object(row);
        } else {
            out.printf(
                    table.format,
                    Arrays.stream(values)
                            .map(value -> value == null ? table.absent : plain(value))
                            .toArray());
        }
    }

    private static @Nullable Object plain(@Nullable Object value) {
        return value == null || value instanceof Number ? value : PlainText.of(value.toString());
    }

    /** A row with inner objects. Only for JSON. */
    void object(Map<String, @Nullable Object> row) {
        out.println(hasRows ? "," : "[");
        out.print(JsonText.of(row));
        hasRows = true;
    }

    /** The whole document. Only for JSON. */
    void single(Object document) {
        out.println(JsonText.of(document));
        hasDocument = true;
    }

    /** Ends the document. */
    void end() {
        if (json && !hasDocument) {
            out.println(hasRows ? System.lineSeparator() + "]" : "[]");
        }
        out.flush();
    }
}
