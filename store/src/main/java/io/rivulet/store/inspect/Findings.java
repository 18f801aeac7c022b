package io.rivulet.store.inspect;

import java.util.Locale;

/** Records the findings, line by line, and counts the problems. Owned by: one inspection. */
final class Findings {
    private final InspectionSink sink;
    private int problems;

    Findings(InspectionSink sink) {
        this.sink = sink;
    }

    void line(String format, Object... values) {
        sink.line(String.format(Locale.ROOT, format, values));
    }

    void problem(String where, String what) {
        problems++;
        sink.problem(where, what);
    }

    /** What a repair would do about the preceding problem. */
    void remedy(String format, Object... values) {
        sink.remedy(String.format(Locale.ROOT, format, values));
    }

    void progress(String step, long done, long total) {
        sink.progress(step, done, total);
    }

    int problems() {
        return problems;
    }
}
