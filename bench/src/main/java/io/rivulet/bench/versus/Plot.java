package io.rivulet.bench.versus;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/** A metric over the number of queues, as SVG, both axes logarithmic. Stateless. */
final class Plot {
    private static final int WIDTH = 640;
    private static final int HEIGHT = 360;
    private static final int LEFT = 80;
    private static final int RIGHT = 20;
    private static final int TOP = 50;
    private static final int BOTTOM = 50;
    private static final Map<Subject, String> COLOURS =
            Map.of(Subject.RIVULET, "#0b6fb8", Subject.RIVULET_OS, "#67b7e8", Subject.KAFKA, "#c0392b");

    private Plot() {}

    /** Of the cases that say how many queues they use. */
    static String svg(Results results, Metric metric, Predicate<Case> which) {
        Map<Subject, SortedMap<Integer, Double>> lines = new java.util.EnumMap<>(Subject.class);
        for (Case done : results.cases()) {
            for (Subject subject : Subject.values()) {
                Results.Series series = results.find(done, subject);
                if (which.test(done) && series != null && series.values(metric).length > 0) {
                    lines.computeIfAbsent(subject, s -> new TreeMap<>())
                            .put(
                                    done.queues(),
                                    Summary.of(series.values(metric)).median());
                }
            }
        }
        return lines.isEmpty() ? "" : draw(lines, metric);
    }

    private static String draw(Map<Subject, SortedMap<Integer, Double>> lines, Metric metric) {
        double[] x = decades(lines.values().stream()
                .flatMap(l -> l.keySet().stream())
                .map(Integer::doubleValue)
                .toList());
        double[] y = decades(
                lines.values().stream().flatMap(l -> l.values().stream()).toList());
        List<String> parts = new ArrayList<>();
        parts.add(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\">"
                        + "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>"
                        + "<text x=\"%d\" y=\"20\" font-size=\"14\">%s, by number of queues</text>",
                WIDTH,
                HEIGHT,
                LEFT,
                metric.title()));
        grid(parts, x, y);
        int legend = LEFT;
        for (Map.Entry<Subject, SortedMap<Integer, Double>> line : lines.entrySet()) {
            parts.add(line(line.getValue(), COLOURS.getOrDefault(line.getKey(), "black"), x, y));
            parts.add(text(
                    legend,
                    40,
                    "start",
                    COLOURS.getOrDefault(line.getKey(), "black"),
                    line.getKey().title()));
            legend += 170;
        }
        parts.add("</svg>\n");
        return String.join("\n", parts);
    }

    /** The powers of ten around the values. */
    private static double[] decades(List<Double> values) {
        double low = values.stream().mapToDouble(v -> Math.max(v, 1e-3)).min().orElse(1);
        double high = values.stream().mapToDouble(v -> Math.max(v, 1e-3)).max().orElse(10);
        double from = Math.floor(Math.log10(low));
        return new double[] {from, Math.max(from + 1, Math.ceil(Math.log10(high)))};
    }

    private static void grid(List<String> parts, double[] x, double[] y) {
        for (double decade = x[0]; decade <= x[1]; decade++) {
            double at = across(Math.pow(10, decade), x);
            parts.add(rule(at, TOP, at, HEIGHT - BOTTOM));
            parts.add(text(at, HEIGHT - BOTTOM + 20, "middle", "black", power(decade)));
        }
        for (double decade = y[0]; decade <= y[1]; decade++) {
            double at = up(Math.pow(10, decade), y);
            parts.add(rule(LEFT, at, WIDTH - RIGHT, at));
            parts.add(text(LEFT - 8, at + 4, "end", "black", power(decade)));
        }
    }

    private static String line(SortedMap<Integer, Double> points, String colour, double[] x, double[] y) {
        StringBuilder path = new StringBuilder();
        StringBuilder dots = new StringBuilder();
        points.forEach((queues, value) -> {
            double atX = across(queues, x);
            double atY = up(value, y);
            path.append(String.format(Locale.ROOT, "%.1f,%.1f ", atX, atY));
            dots.append(String.format(
                    Locale.ROOT, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"%s\"/>", atX, atY, colour));
        });
        return "<polyline fill=\"none\" stroke=\"" + colour + "\" stroke-width=\"2\" points=\"" + path + "\"/>" + dots;
    }

    private static double across(double value, double[] decades) {
        return LEFT + (WIDTH - LEFT - RIGHT) * (Math.log10(value) - decades[0]) / (decades[1] - decades[0]);
    }

    private static double up(double value, double[] decades) {
        double share = (Math.log10(Math.max(value, 1e-3)) - decades[0]) / (decades[1] - decades[0]);
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * share;
    }

    private static String rule(double x1, double y1, double x2, double y2) {
        return String.format(
                Locale.ROOT,
                "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#dddddd\"/>",
                x1,
                y1,
                x2,
                y2);
    }

    private static String text(double x, double y, String anchor, String colour, String text) {
        return String.format(
                Locale.ROOT,
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"%s\">%s</text>",
                x,
                y,
                anchor,
                colour,
                text);
    }

    private static String power(double decade) {
        return decade < 0
                ? String.format(Locale.ROOT, "%." + (int) -decade + "f", Math.pow(10, decade))
                : String.format(Locale.ROOT, "%,.0f", Math.pow(10, decade));
    }
}
