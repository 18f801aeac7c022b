package io.rivulet.bench.takeover;

import io.rivulet.bench.versus.Summary;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Writes what takeovers took in Markdown, in milliseconds. Stateless. */
final class TakeoverTable {
    private static final String HEAD = "| takeover | step | number | median ms | worst ms |\n|---|---|---|---|---|\n";

    private TakeoverTable() {}

    static String of(List<Takeover> takeovers) {
        StringBuilder text = new StringBuilder(HEAD);
        takeovers.stream()
                .collect(Collectors.groupingBy(Takeover::group, TreeMap::new, Collectors.toList()))
                .forEach((group, some) -> rows(text, group, some));
        return text.toString();
    }

    private static void rows(StringBuilder text, String group, List<Takeover> some) {
        String title = group;
        for (Step step : Step.values()) {
            double[] values = some.stream()
                    .map(takeover -> takeover.figures().get(step))
                    .filter(value -> value != null)
                    .mapToDouble(Double::doubleValue)
                    .toArray();
            if (values.length > 0) {
                Summary summary = Summary.of(values);
                text.append(String.format(
                        Locale.ROOT,
                        "| %s | %s | %d | %,.0f | %,.0f |%n",
                        title,
                        step.title(),
                        values.length,
                        summary.median(),
                        summary.highest()));
                title = "";
            }
        }
    }
}
