package io.rivulet.bench.versus;

import io.rivulet.bench.lab.Subject;
import io.rivulet.bench.load.Metric;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * Draws figures as SVG, with a bar for each subject. Each figure has its own scale, which begins at zero. Less is
 * better. Stateless.
 */
final class Bars {
    private static final int WIDTH = 680;
    private static final int LEFT = 160;
    private static final int RIGHT = 90;
    private static final int TOP = 56;
    private static final int BAR = 20;
    private static final int GAP = 6;

    private Bars() {}

    /** A metric of a case, with a title that names the unit. */
    record Figure(String title, String caseName, Metric metric) {}

    /** Draws the figures that were measured. Returns an empty string if there are none. */
    static String svg(Results results, String title, List<Figure> wanted) {
        Svg svg = new Svg();
        int at = TOP;
        for (Figure figure : wanted) {
            for (Case done : results.cases()) {
                if (done.name().equals(figure.caseName())) {
                    at = draw(svg, results, done, figure, at);
                }
            }
        }
        return at == TOP ? "" : svg.end(WIDTH, at, title);
    }

    /** Returns where the next figure goes. */
    private static int draw(Svg svg, Results results, Case done, Figure figure, int top) {
        List<Subject> subjects = Arrays.stream(Subject.values())
                .filter(subject -> results.median(done, subject, figure.metric()) != null)
                .toList();
        double longest = subjects.stream()
                .mapToDouble(subject -> median(results, done, subject, figure))
                .max()
                .orElse(0);
        svg.words(LEFT, top, "start", figure.title());
        int at = top + GAP;
        for (Subject subject : subjects) {
            double value = median(results, done, subject, figure);
            double width = Math.max(2, (WIDTH - LEFT - RIGHT) * value / longest);
            svg.words(LEFT - 10, at + BAR - 6, "end", subject.title());
            svg.add(
                    "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" rx=\"2\" fill=\"%s\"/>",
                    LEFT, at, width, BAR, Svg.colour(subject));
            svg.words(LEFT + width + 8, at + BAR - 6, "start", figure.metric().format(value));
            at += BAR + GAP;
        }
        return at + BAR + GAP;
    }

    private static double median(Results results, Case done, Subject subject, Figure figure) {
        return Objects.requireNonNull(results.median(done, subject, figure.metric()));
    }
}
