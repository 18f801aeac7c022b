package io.rivulet.bench.versus;

import io.rivulet.bench.lab.Subject;
import io.rivulet.bench.load.Metric;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/** Draws a metric over the number of queues as SVG. Both axes are logarithmic. Stateless. */
final class Plot {
    private static final int WIDTH = 680;
    private static final int HEIGHT = 400;
    private static final int LEFT = 110;
    private static final int RIGHT = 50;
    private static final int TOP = 60;
    private static final int BOTTOM = 60;
    private static final double LEAST = 1e-3;

    private Plot() {}

    /** Draws the cases that have a number of queues. Returns an empty string if there are no figures. */
    static String svg(Results results, Metric metric, Predicate<Case> which) {
        Map<Subject, SortedMap<Integer, Double>> lines = new EnumMap<>(Subject.class);
        for (Case done : results.cases()) {
            for (Subject subject : Subject.values()) {
                Double median = results.median(done, subject, metric);
                if (which.test(done) && median != null) {
                    lines.computeIfAbsent(subject, s -> new TreeMap<>()).put(done.queues(), median);
                }
            }
        }
        return lines.isEmpty() ? "" : draw(lines, metric);
    }

    private static String draw(Map<Subject, SortedMap<Integer, Double>> lines, Metric metric) {
        double[] x = decades(lines.values().stream()
                .flatMap(line -> line.keySet().stream())
                .map(Integer::doubleValue)
                .toList());
        double[] y = decades(
                lines.values().stream().flatMap(line -> line.values().stream()).toList());
        Svg svg = new Svg();
        grid(svg, x, y);
        svg.words((LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 15, "middle", "queues (partitions; logarithmic)");
        svg.wordsUp(20, (TOP + HEIGHT - BOTTOM) / 2.0, metric.title() + " (logarithmic)");
        double legend = LEFT;
        for (Map.Entry<Subject, SortedMap<Integer, Double>> line : lines.entrySet()) {
            line(svg, line.getKey(), line.getValue(), x, y);
            legend = svg.legend(legend, 44, line.getKey());
        }
        return svg.end(WIDTH, HEIGHT, metric.title() + " by number of queues");
    }

    /** The powers of ten around the values. */
    private static double[] decades(List<Double> values) {
        double low = values.stream().mapToDouble(v -> Math.max(v, LEAST)).min().orElse(1);
        double high = values.stream().mapToDouble(v -> Math.max(v, LEAST)).max().orElse(10);
        double from = Math.floor(Math.log10(low));
        return new double[] {from, Math.max(from + 1, Math.ceil(Math.log10(high)))};
    }

    private static void grid(Svg svg, double[] x, double[] y) {
        for (double decade = x[0]; decade <= x[1]; decade++) {
            double at = across(Math.pow(10, decade), x);
            svg.rule(at, TOP, at, HEIGHT - BOTTOM);
            svg.words(at, HEIGHT - BOTTOM + 20, "middle", power(decade));
        }
        for (double decade = y[0]; decade <= y[1]; decade++) {
            double at = up(Math.pow(10, decade), y);
            svg.rule(LEFT, at, WIDTH - RIGHT, at);
            svg.words(LEFT - 8, at + 4, "end", power(decade));
        }
    }

    private static void line(Svg svg, Subject subject, SortedMap<Integer, Double> points, double[] x, double[] y) {
        StringBuilder path = new StringBuilder();
        points.forEach((queues, value) -> {
            path.append(String.format(Locale.ROOT, "%.1f,%.1f ", across(queues, x), up(value, y)));
            svg.add(
                    "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"%s\"/>",
                    across(queues, x), up(value, y), Svg.colour(subject));
        });
        svg.add(
                "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\"%s points=\"%s\"/>",
                Svg.colour(subject), Svg.dashes(subject), path.toString().strip());
    }

    private static double across(double value, double[] decades) {
        return LEFT + (WIDTH - LEFT - RIGHT) * (Math.log10(value) - decades[0]) / (decades[1] - decades[0]);
    }

    private static double up(double value, double[] decades) {
        double share = (Math.log10(Math.max(value, LEAST)) - decades[0]) / (decades[1] - decades[0]);
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * share;
    }

    private static String power(double decade) {
        return decade < 0
                ? String.format(Locale.ROOT, "%." + (int) -decade + "f", Math.pow(10, decade))
                : String.format(Locale.ROOT, "%,.0f", Math.pow(10, decade));
    }
}
