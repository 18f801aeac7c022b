package io.rivulet.bench.peers;

import io.rivulet.bench.versus.Summary;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The figures of all rounds, as a table in Markdown of medians and ranges. Owned by: one thread. */
final class PeerTable {
    private record Row(int queues, Peer peer) {}

    private final Map<Row, List<Map<PeerMetric, Double>>> rounds = new LinkedHashMap<>();
    private final Map<Row, String> failures = new LinkedHashMap<>();

    void add(int queues, Peer peer, Map<PeerMetric, Double> figures) {
        rounds.computeIfAbsent(new Row(queues, peer), row -> new ArrayList<>()).add(figures);
    }

    void addFailure(int queues, Peer peer, String failure) {
        rounds.computeIfAbsent(new Row(queues, peer), row -> new ArrayList<>());
        failures.putIfAbsent(new Row(queues, peer), failure.replace('|', '/').replace('\n', ' '));
    }

    static String line(Map<PeerMetric, Double> figures) {
        return figures.entrySet().stream()
                .map(figure -> figure.getKey().title() + " " + figure.getKey().format(figure.getValue()))
                .collect(Collectors.joining(", "));
    }

    String text() {
        StringBuilder text = new StringBuilder("| queues | system | an acknowledgement means |");
        for (PeerMetric metric : PeerMetric.values()) {
            text.append(' ').append(metric.title()).append(" |");
        }
        text.append("\n|---|---|---|").append("---|".repeat(PeerMetric.values().length));
        rounds.forEach((row, figures) -> {
            text.append("\n| %,d | %s | %s |".formatted(row.queues, row.peer.title(), row.peer.promise()));
            for (PeerMetric metric : PeerMetric.values()) {
                text.append(' ').append(cell(figures, metric)).append(" |");
            }
        });
        text.append('\n');
        failures.forEach((row, failure) ->
                text.append("\n- %,d queues, %s failed: %s".formatted(row.queues, row.peer.title(), failure)));
        return text.append('\n').toString();
    }

    private static String cell(List<Map<PeerMetric, Double>> rounds, PeerMetric metric) {
        double[] values = rounds.stream()
                .filter(figures -> figures.containsKey(metric))
                .mapToDouble(figures -> figures.getOrDefault(metric, 0.0))
                .toArray();
        return values.length == 0 ? "-" : Summary.of(values).text(metric::format);
    }
}
