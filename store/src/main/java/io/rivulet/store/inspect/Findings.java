package io.rivulet.store.inspect;

import java.util.Locale;
import java.util.function.Consumer;

/** Records the findings, line by line, and counts the problems. Owned by: one inspection. */
final class Findings {
    private final Consumer<String> lines;
    private int problems;

    Findings(Consumer<String> lines) {
        this.lines = lines;
    }

    void line(String format, Object... values) {
        lines.accept(String.format(Locale.ROOT, format, values));
    }

    void problem(String where, String what) {
        problems++;
        line("  DAMAGED %s: %s", where, what);
    }

    /** What a repair would do about the preceding problem. */
    void remedy(String format, Object... values) {
        line("    --repair " + format, values);
    }

    int problems() {
        return problems;
    }
}
