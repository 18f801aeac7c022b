package io.rivulet.bench.versus;

import io.rivulet.bench.lab.Subject;
import io.rivulet.bench.load.Metric;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Writes the table of ratios in Markdown. Stateless. */
final class Report {
    private static final String HEAD = """
            | case | metric | Rivulet | Rivulet, durability=os | Kafka | Rivulet / Kafka | Rivulet os / Kafka |
            |---|---|---|---|---|---|---|
            """;
    private static final String NONE = "";

    private Report() {}

    static String table(Results results) {
        StringBuilder text = new StringBuilder(HEAD);
        for (Case done : results.cases()) {
            rows(results, done).forEach(text::append);
        }
        return text.toString();
    }

    private static List<String> rows(Results results, Case done) {
        List<String> rows = new ArrayList<>();
        for (Metric metric : Metric.values()) {
            String cells = cell(results, done, Subject.RIVULET, metric)
                    + cell(results, done, Subject.RIVULET_OS, metric)
                    + cell(results, done, Subject.KAFKA, metric);
            if (cells.replaceAll("[| ]", "").isEmpty()) {
                continue;
            }
            rows.add("| " + (rows.isEmpty() ? done.title() : NONE) + " | " + metric.title() + " |" + cells
                    + ratio(results, done, Subject.RIVULET, metric)
                    + ratio(results, done, Subject.RIVULET_OS, metric)
                    + "\n");
        }
        for (Subject subject : Subject.values()) {
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

    private static String ratio(Results results, Case done, Subject subject, Metric metric) {
        double[] values = values(results, done, subject, metric);
        double[] bases = values(results, done, Subject.KAFKA, metric);
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
