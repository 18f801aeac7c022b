package io.rivulet.bench.versus;

import io.rivulet.bench.lab.Subject;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The figures of all rounds, by case and subject. Confined to one thread. */
final class Results {
    /** Of one subject in one case. */
    static final class Series {
        private final List<Figures> rounds = new ArrayList<>();
        private @Nullable String failure;

        /** In the order of the rounds; those that lack the metric are left out. */
        double[] values(Metric metric) {
            return rounds.stream()
                    .map(figures -> figures.values().get(metric))
                    .filter(value -> value != null)
                    .mapToDouble(Double::doubleValue)
                    .toArray();
        }

        /** What went wrong first; null when nothing did. */
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

    /** The median of the rounds; null when none has the metric. */
    @Nullable
    Double median(Case done, Subject subject, Metric metric) {
        Series series = find(done, subject);
        double[] values = series == null ? new double[0] : series.values(metric);
        return values.length == 0 ? null : Summary.of(values).median();
    }

    Iterable<Case> cases() {
        return byCase.keySet();
    }

    /** Null when the subject took no part. */
    @Nullable
    Series find(Case done, Subject subject) {
        return byCase.getOrDefault(done, Map.of()).get(subject);
    }
}
