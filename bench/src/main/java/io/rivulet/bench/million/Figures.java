package io.rivulet.bench.million;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What was measured, printed as it comes, and once more as a table. Confined to one thread. */
final class Figures {
    private final PrintWriter out;
    private final List<String> rows = new ArrayList<>();

    Figures(PrintWriter out) {
        this.out = out;
    }

    /** What the figures from here on are about. */
    void about(String what) {
        rows.add("| **" + what + "** | | |");
        out.println();
        out.println(what);
    }

    /** A figure that is to be at most so large. */
    void atMost(String what, String unit, double value, double wanted) {
        add(what, unit, value, "<= " + number(wanted), value <= wanted);
    }

    /** A figure that is to be at least so large. */
    void atLeast(String what, String unit, double value, double wanted) {
        add(what, unit, value, ">= " + number(wanted), value >= wanted);
    }

    /** A figure of which nothing is wanted. */
    void plain(String what, String unit, double value) {
        row(what, number(value) + " " + unit, "");
    }

    private void add(String what, String unit, double value, String wanted, boolean met) {
        String said = number(value) + " " + unit;
        row(what, met ? said : "**" + said + "**", wanted + " " + unit);
    }

    private void row(String what, String value, String wanted) {
        rows.add("| " + what + " | " + value + " | " + wanted + " |");
        out.println(what + ": " + value + (wanted.isEmpty() ? "" : " (" + wanted + " wanted)"));
        out.flush();
    }

    private static String number(double value) {
        return String.format(
                Locale.ROOT, value >= 100 ? "%,.0f" : value >= 0.1 || value == 0 ? "%,.2f" : "%,.4f", value);
    }

    /** All of them; bold is what misses what was wanted. */
    String table() {
        return "| what | measured | wanted |\n|---|---|---|\n" + String.join("\n", rows) + "\n";
    }
}
