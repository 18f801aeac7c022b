package io.rivulet.broker.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.store.StoreMetric;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The page of all metrics is made from their tables. */
final class MetricsDocumentTest {
    private static final Path DOCUMENT = Path.of("../docs/METRICS.md");
    private static final String HEADING = "## Series\n";

    @Test
    void thePageInDocsHasAllSeries() throws IOException {
        String document = Files.readString(DOCUMENT);
        int start = document.contains(HEADING) ? document.indexOf(HEADING) : document.length();

        if (Boolean.getBoolean("rivulet.document")) {
            Files.writeString(DOCUMENT, document.substring(0, start) + section());
        } else {
            assertThat(document.substring(start))
                    .as("docs/METRICS.md is out of date. Write it again: mvn test -pl broker -am"
                            + " -Dtest=MetricsDocumentTest -Drivulet.document=true"
                            + " -Dsurefire.failIfNoSpecifiedTests=false")
                    .isEqualTo(section());
        }
    }

    private static String section() {
        StringBuilder page = new StringBuilder(HEADING);
        page.append("A second and third name are those of the families `confluent` and `reporter`.\n\n")
                .append("| series | type | labels | meaning |\n|---|---|---|---|\n");
        for (Metric metric : Metric.values()) {
            page.append(row(names(metric), metric.type().text(), String.join(", ", metric.labels()), metric.help()));
        }
        page.append("\n### /metrics/detailed\n\n| series | type | labels | meaning |\n|---|---|---|---|\n");
        for (DetailedMetric metric : DetailedMetric.values()) {
            page.append(
                    row("`" + metric.metricName() + "`", "gauge", String.join(", ", metric.labels()), metric.help()));
        }
        page.append("\n### In a cluster\n\nOf a broker with `rivulet.cluster.failover`, also while it follows.\n\n")
                .append("| series | type | labels | meaning |\n|---|---|---|---|\n");
        for (ClusterMetric metric : ClusterMetric.values()) {
            page.append(row(
                    "`" + metric.metricName() + "`",
                    metric.type().text(),
                    String.join(", ", metric.labels()),
                    metric.help()));
        }
        page.append("\n### The store\n\n| series | type | meaning |\n|---|---|---|\n");
        for (StoreMetric metric : StoreMetric.values()) {
            page.append(row(
                    "`" + StoreSeries.name(metric) + "`",
                    StoreSeries.type(metric).text(),
                    StoreSeries.help(metric)));
        }
        return page.toString();
    }

    private static String names(Metric metric) {
        StringBuilder names = new StringBuilder();
        Set<String> seen = new HashSet<>();
        for (NameFamily family : NameFamily.values()) {
            if (seen.add(metric.name(family))) {
                names.append(names.isEmpty() ? "" : "<br>")
                        .append('`')
                        .append(metric.name(family))
                        .append('`');
            }
        }
        return names.toString();
    }

    private static String row(String... cells) {
        return "| " + String.join(" | ", cells) + " |\n";
    }

    @ParameterizedTest
    @EnumSource
    void noNameIsUsedTwiceInAFamily(NameFamily family) {
        Set<String> names = new HashSet<>();

        assertThat(Arrays.stream(Metric.values()).map(metric -> metric.name(family)))
                .allMatch(names::add);
        assertThat(Arrays.stream(StoreMetric.values()).map(StoreSeries::name)).allMatch(names::add);
        assertThat(Arrays.stream(ClusterMetric.values()).map(ClusterMetric::metricName))
                .allMatch(names::add);
    }
}
