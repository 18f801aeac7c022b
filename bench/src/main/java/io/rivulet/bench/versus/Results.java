package io.rivulet.bench.versus;

import io.rivulet.bench.lab.Subject;
import io.rivulet.bench.load.Figures;
import io.rivulet.bench.load.Metric;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The figures of all rounds, by case and subject. Owned by: one thread. */
final class Results {
    /** The rounds of one subject in one case. */
    static final class Series {
        private final List<Figures> rounds = new ArrayList<>();
        private @Nullable String failure;

        /** The values in the order of the rounds, without rounds that lack the metric. */
        double[] values(Metric metric) {
            return rounds.stream()
                    .map(figures -> figures.values().get(metric))
                    .filter(value -> value != null)
                    .mapToDouble(Double::doubleValue)
                    .toArray();
        }

        /** The first failure, or null. */
        @Nullable
        String failure() {
            return failure;
        }
    }

    private final Map<Case, Map<Subject, Series>> byCase = new LinkedHashMap<>();

    void add(Case done, Subject subject, Figures figures) {
        series(done, subject).rounds.add(figures);
    }

    void addFailure(Case done, Subject subject, String failure) {
        Series series = series(done, subject);
        series.failure = series.failure == null ? failure : series.failure;
    }

    private Series series(Case done, Subject subject) {
        return byCase.computeIfAbsent(done, c -> new EnumMap<>(Subject.class))
                .computeIfAbsent(subject, s -> new Series());
    }

    /** The median of the rounds, or null if no round has the metric. */
    @Nullable
    Double median(Case done, Subject subject, Metric metric) {
        Series series = find(done, subject);
        double[] values = series == null ? new double[0] : series.values(metric);
        return values.length == 0 ? null : Summary.of(values).median();
    }

    Iterable<Case> cases() {
        return byCase.keySet();
    }

    /** Returns null if the subject did not run the case. */
    @Nullable
    Series find(Case done, Subject subject) {
        return byCase.getOrDefault(done, Map.of()).get(subject);
    }
}
