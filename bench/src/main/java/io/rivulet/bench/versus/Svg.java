package io.rivulet.bench.versus;

import io.rivulet.bench.lab.Subject;
import java.util.Locale;

/** A picture in SVG without a background, with colours for light and dark pages. Owned by: one thread. */
final class Svg {
    private static final String INK = "#7d8590";
    private static final String RULE = "#7d859055";
    private static final double CHAR_WIDTH = 0.6;

    private final StringBuilder text = new StringBuilder();

    static String colour(Subject subject) {
        return subject == Subject.KAFKA ? "#e5534b" : "#2f81f7";
    }

    static String dashes(Subject subject) {
        return subject == Subject.RIVULET_OS ? " stroke-dasharray=\"6 4\"" : "";
    }

    /** Approximate width of a text. */
    static double widthOf(String words) {
        return words.length() * 12 * CHAR_WIDTH;
    }

    void words(double x, double y, String anchor, String words) {
        add("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>", x, y, anchor, words);
    }

    /** Writes upwards, centred at this point. */
    void wordsUp(double x, double y, String words) {
        add("<text transform=\"translate(%.1f %.1f) rotate(-90)\" text-anchor=\"middle\">%s</text>", x, y, words);
    }

    void rule(double x1, double y1, double x2, double y2) {
        add("<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>", x1, y1, x2, y2, RULE);
    }

    /** Draws a line as in the plot, and the subject's name. Returns the x of the next entry. */
    double legend(double x, double y, Subject subject) {
        add(
                "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" stroke-width=\"3\"%s/>",
                x, y - 4, x + 24, y - 4, colour(subject), dashes(subject));
        words(x + 30, y, "start", subject.title());
        return x + 30 + widthOf(subject.title()) + 24;
    }

    /** @param format as of {@link String#format} */
    void add(String format, Object... values) {
        text.append(String.format(Locale.ROOT, format, values)).append('\n');
    }

    /** Returns the picture with a title. */
    String end(int width, int height, String title) {
        String head = String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\""
                        + " font-family=\"sans-serif\" font-size=\"12\" fill=\"%s\">%n"
                        + "<text x=\"%d\" y=\"20\" text-anchor=\"middle\" font-size=\"15\">%s</text>%n",
                width,
                height,
                title,
                INK,
                width / 2,
                title);
        return head + text + "</svg>\n";
    }
}
