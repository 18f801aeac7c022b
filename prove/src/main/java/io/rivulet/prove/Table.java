package io.rivulet.prove;

import java.io.PrintWriter;
import java.util.Locale;

/** Prints rows as they come. Owned by: one thread. */
final class Table {
    private static final String LINE = "%-10s %12s %14s  %-8s %8s%n";

    private final PrintWriter out;

    Table(PrintWriter out) {
        this.out = out;
    }

    void head() {
        out.printf(Locale.ROOT, LINE, "check", "points", "seed", "result", "time");
        out.flush();
    }

    void row(Row row) {
        out.printf(
                Locale.ROOT,
                LINE,
                row.name(),
                String.format(Locale.ROOT, "%,d", row.points()),
                row.seed(),
                row.isOk() ? "ok" : "FAILED",
                row.time().toSeconds() + " s");
        row.figures().forEach(line -> out.printf("  %s%n", line));
        for (Row.Failure failure : row.failures()) {
            out.printf(
                    "%n%s, seed %d: %s%nTo repeat it: %s%n%n",
                    row.name(), failure.seed(), failure.what(), row.repeat(failure));
        }
        out.flush();
    }
}
