package io.rivulet.bench.versus;

import io.rivulet.bench.lab.Subject;
import io.rivulet.bench.load.Metric;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Writes the table of ratios in Markdown. Stateless. */
final class Report {
    private static final String NONE = "";

    private Report() {}

    static String table(Results results, Comparison comparison) {
        StringBuilder text = new StringBuilder(comparison.head());
        for (Case done : results.cases()) {
            rows(results, comparison, done).forEach(text::append);
        }
        return text.toString();
    }

    private static List<String> rows(Results results, Comparison comparison, Case done) {
        List<String> rows = new ArrayList<>();
        for (Metric metric : Metric.values()) {
            String cells = cell(results, done, comparison.first(), metric)
                    + cell(results, done, comparison.second(), metric)
                    + cell(results, done, comparison.base(), metric);
            if (cells.replaceAll("[| ]", "").isEmpty()) {
                continue;
            }
            rows.add("| " + (rows.isEmpty() ? done.title() : NONE) + " | " + metric.title() + " |" + cells
                    + ratio(results, done, comparison.first(), comparison.base(), metric)
                    + ratio(results, done, comparison.second(), comparison.base(), metric)
                    + "\n");
        }
        for (Subject subject : comparison.subjects()) {
            Results.Series series = results.find(done, subject);
            if (series != null && series.failure() != null) {
                rows.add("| " + (rows.isEmpty() ? done.title() : NONE) + " | " + subject.title() + " failed: "
                        + series.failure().replace('|', '/').replace('\n', ' ') + " | | | | | |\n");
            }
        }
        return rows;
    }

    private static String cell(Results results, Case done, Subject subject, Metric metric) {
        double[] values = values(results, done, subject, metric);
        return " " + (values.length == 0 ? NONE : Summary.of(values).text(metric::format)) + " |";
    }

    private static String ratio(Results results, Case done, Subject subject, Subject base, Metric metric) {
        double[] values = values(results, done, subject, metric);
        double[] bases = values(results, done, base, metric);
        boolean none = values.length == 0 || bases.length == 0 || metric == Metric.OTHERS_PERCENT;
        String text =
                none ? NONE : Summary.ofRatios(values, bases).text(ratio -> String.format(Locale.ROOT, "%.2f", ratio));
        return " " + text + " |";
    }

    private static double[] values(Results results, Case done, Subject subject, Metric metric) {
        Results.Series series = results.find(done, subject);
        return series == null ? new double[0] : series.values(metric);
    }
}
