package io.rivulet.bench.versus;

import io.rivulet.bench.lab.Subject;
import io.rivulet.bench.load.Figures;
import io.rivulet.bench.load.Metric;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads the medians from tables that {@link Report} has written, and skips all other lines. Stateless. */
final class StoredTable {
    private static final int CASE = 1;
    private static final int METRIC = 2;
    private static final int FIRST_SUBJECT = 3;
    /** Includes the empty cells before the first bar and after the last one. */
    private static final int CELLS = 9;

    private StoredTable() {}

    static Results read(List<String> lines) {
        Results results = new Results();
        List<Case> cases = Cases.all();
        Optional<Case> current = Optional.empty();
        for (String line : lines) {
            List<String> cells = new ArrayList<>();
            for (String cell : line.split("\\|", -1)) {
                cells.add(cell.strip());
            }
            if (cells.size() != CELLS) {
                current = Optional.empty();
                continue;
            }
            if (!cells.get(CASE).isEmpty()) {
                current = cases.stream()
                        .filter(one -> one.title().equals(cells.get(CASE)))
                        .findFirst();
            }
            current.ifPresent(done -> add(results, done, cells));
        }
        return results;
    }

    private static void add(Results results, Case done, List<String> cells) {
        Stream.of(Metric.values())
                .filter(metric -> metric.title().equals(cells.get(METRIC)))
                .forEach(metric -> {
                    List<Subject> subjects = Comparison.PLAIN.subjects();
                    for (int i = 0; i < subjects.size(); i++) {
                        String cell = cells.get(FIRST_SUBJECT + i);
                        if (!cell.isEmpty()) {
                            String median = cell.split(" ")[0].replace(",", "");
                            results.add(done, subjects.get(i), new Figures().with(metric, Double.parseDouble(median)));
                        }
                    }
                });
    }
}
