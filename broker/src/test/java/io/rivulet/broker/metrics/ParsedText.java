package io.rivulet.broker.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Prometheus' text format 0.0.4, parsed strictly: each metric has one head, and its samples follow. */
final class ParsedText {
    private static final String NAME = "[a-zA-Z_:][a-zA-Z0-9_:]*";
    private static final Pattern HELP = Pattern.compile("# HELP (" + NAME + ") ((?:[^\\\\]|\\\\\\\\|\\\\n)+)");
    private static final Pattern TYPE =
            Pattern.compile("# TYPE (" + NAME + ") (counter|gauge|summary|histogram|untyped)");
    private static final Pattern LABEL =
            Pattern.compile("([a-zA-Z_][a-zA-Z0-9_]*)=\"((?:[^\"\\\\\\n]|\\\\\\\\|\\\\\"|\\\\n)*)\"(,|$)");
    private static final Pattern SAMPLE = Pattern.compile("(" + NAME + ")(?:\\{(.*)})? (\\S+)");

    private final Map<String, String> types = new LinkedHashMap<>();
    private final Map<String, String> helps = new HashMap<>();
    /** By the name of the sample and its labels, sorted by their names. */
    private final Map<String, Double> samples = new LinkedHashMap<>();

    ParsedText(String text) {
        assertThat(text).endsWith("\n");
        String open = "";
        for (String line : text.substring(0, text.length() - 1).split("\n", -1)) {
            open = line.startsWith("# ") ? head(line, open) : sample(line, open);
        }
        types.forEach((name, type) -> checkHistogram(name, type));
    }

    private String head(String line, String open) {
        Matcher help = HELP.matcher(line);
        if (help.matches()) {
            assertThat(helps.put(help.group(1), help.group(2)))
                    .as("second head: " + line)
                    .isNull();
            return help.group(1);
        }
        Matcher type = TYPE.matcher(line);
        assertThat(type.matches()).as(line).isTrue();
        assertThat(type.group(1)).isEqualTo(open);
        assertThat(types.put(open, type.group(2))).as(line).isNull();
        return open;
    }

    private String sample(String line, String open) {
        Matcher sample = SAMPLE.matcher(line);
        assertThat(sample.matches()).as(line).isTrue();
        String type = Objects.requireNonNull(types.get(open), line);
        String name = sample.group(1);
        switch (type) {
            case "summary" -> assertThat(name).isIn(open, open + "_sum", open + "_count");
            case "histogram" -> assertThat(name).isIn(open + "_bucket", open + "_sum", open + "_count");
            default -> assertThat(name).isEqualTo(open);
        }
        String key = name + labels(sample.group(2));
        double value = sample.group(3).equals("+Inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(sample.group(3));
        assertThat(samples.put(key, value)).as("twice: " + line).isNull();
        if (!type.equals("gauge") && !type.equals("untyped")) {
            assertThat(value).as(line).isNotNegative();
        }
        return open;
    }

    private static String labels(@Nullable String text) {
        if (text == null) {
            return "";
        }
        List<String> labels = new ArrayList<>();
        Matcher label = LABEL.matcher(text);
        int at = 0;
        while (label.find() && label.start() == at) {
            labels.add(label.group(1) + "=" + label.group(2));
            at = label.end();
        }
        assertThat(at).as(text).isEqualTo(text.length());
        labels.sort(null);
        return labels.toString();
    }

    private void checkHistogram(String name, String type) {
        if (!type.equals("histogram")) {
            return;
        }
        Map<String, Double> last = new HashMap<>();
        samples.forEach((key, value) -> {
            if (key.startsWith(name + "_bucket[")) {
                assertThat(key).contains("le=");
                String series = key.replaceAll("le=[^,]*, ", "");
                assertThat(value).isGreaterThanOrEqualTo(last.getOrDefault(series, 0.0));
                last.put(series, value);
            }
        });
        last.forEach((series, value) ->
                assertThat(samples.get(series.replace("_bucket", "_count"))).isEqualTo(value));
    }

    Map<String, String> types() {
        return types;
    }

    Map<String, Double> samples() {
        return samples;
    }

    /** @param labels such as topic=a; sorted */
    double value(String name, String... labels) {
        String key = name + (labels.length == 0 ? "" : List.of(labels).toString());
        return Objects.requireNonNull(samples.get(key), key);
    }
}
