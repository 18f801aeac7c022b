package io.rivulet.bench.million;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Prints each figure with its goal, and keeps a table of all figures. Owned by: the command's thread. */
final class GoalTable {
    private final PrintWriter out;
    private final List<String> rows = new ArrayList<>();

    GoalTable(PrintWriter out) {
        this.out = out;
    }

    /** Begins a group of figures. */
    void begin(String title) {
        rows.add("| **" + title + "** | | |");
        out.println();
        out.println(title);
    }

    /** A figure with an upper limit. */
    void atMost(String what, String unit, double value, double goal) {
        add(what, unit, value, "<= " + number(goal), value <= goal);
    }

    /** A figure with a lower limit. */
    void atLeast(String what, String unit, double value, double goal) {
        add(what, unit, value, ">= " + number(goal), value >= goal);
    }

    /** A figure without a goal. */
    void plain(String what, String unit, double value) {
        row(what, number(value) + " " + unit, "");
    }

    private void add(String what, String unit, double value, String goal, boolean met) {
        String text = number(value) + " " + unit;
        row(what, met ? text : "**" + text + "**", goal + " " + unit);
    }

    private void row(String what, String value, String goal) {
        rows.add("| " + what + " | " + value + " | " + goal + " |");
        out.println(what + ": " + value + (goal.isEmpty() ? "" : " (goal " + goal + ")"));
        out.flush();
    }

    private static String number(double value) {
        return String.format(
                Locale.ROOT, value >= 100 ? "%,.0f" : value >= 0.1 || value == 0 ? "%,.2f" : "%,.4f", value);
    }

    /** The table in Markdown. Figures that miss their goal are bold. */
    String table() {
        return "| what | measured | goal |\n|---|---|---|\n" + String.join("\n", rows) + "\n";
    }
}
