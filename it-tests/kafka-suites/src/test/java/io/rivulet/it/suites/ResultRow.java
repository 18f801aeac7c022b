package io.rivulet.it.suites;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The results of a class, or of all, as a row of the table. Immutable.
 *
 * @param leftOut the number of tests that were left out, by kind
 */
record ResultRow(long passed, long failed, Map<String, Long> leftOut, long onKafka, long failedOnKafka) {
    /** The kind of tests that were left out for a reason that the list has no more. */
    static final String NOT_RUN = "not-run";

    static final ResultRow NONE = new ResultRow(0, 0, Map.of(), 0, 0);

    private static final Pattern ROW =
            Pattern.compile("\\| (?<title>\\w+ \\w+) \\| (?<passed>\\d*) \\| (?<failed>\\d*) \\| (?<leftOut>\\d*)"
                    + " \\| (?<kafka>\\d*)(?:, (?<kafkaFailed>\\d+) failed)? \\| (?<why>.*?) \\|");

    static ResultRow of(List<TestResult> own, List<TestResult> kafka) {
        Map<String, Long> leftOut = own.stream()
                .filter(result -> result.outcome() == TestResult.Outcome.LEFT_OUT)
                .collect(Collectors.groupingBy(TestResult::kind, TreeMap::new, Collectors.counting()));
        return new ResultRow(
                count(own, TestResult.Outcome.PASSED),
                count(own, TestResult.Outcome.FAILED),
                leftOut,
                count(kafka, TestResult.Outcome.PASSED),
                count(kafka, TestResult.Outcome.FAILED));
    }

    private static long count(List<TestResult> of, TestResult.Outcome outcome) {
        return of.stream().filter(result -> result.outcome() == outcome).count();
    }

    /** The rows of a document, by title. Results with a failure are left out: the message of it is not in the row. */
    static Map<String, ResultRow> ofDocument(String document) {
        Map<String, ResultRow> rows = new TreeMap<>();
        document.lines().map(ROW::matcher).filter(Matcher::matches).forEach(row -> {
            Map<String, Long> leftOut = new TreeMap<>();
            for (String kind : row.group("why").strip().split(", ")) {
                String[] parts = kind.split(" ");
                leftOut.put(parts[0], number(parts.length > 1 ? parts[1] : row.group("leftOut")));
            }
            leftOut.remove("");
            long onKafka = row.group("kafkaFailed") == null ? number(row.group("kafka")) : 0;
            boolean failed = number(row.group("failed")) > 0;
            rows.put(
                    row.group("title"),
                    failed
                            ? new ResultRow(0, 0, Map.of(), onKafka, 0)
                            : new ResultRow(number(row.group("passed")), 0, leftOut, onKafka, 0));
        });
        return rows;
    }

    private static long number(String digits) {
        return digits.isEmpty() ? 0 : Long.parseLong(digits);
    }

    /** These results on Rivulet, with those of the other row on Kafka. */
    ResultRow withKafka(ResultRow other) {
        return new ResultRow(passed, failed, leftOut, other.onKafka, other.failedOnKafka);
    }

    /** These results, where other kinds than those of today's list become {@link #NOT_RUN}. */
    ResultRow withKindsOf(Set<String> today) {
        Map<String, Long> kinds = new TreeMap<>();
        leftOut.forEach((kind, count) -> kinds.merge(today.contains(kind) ? kind : NOT_RUN, count, Long::sum));
        return new ResultRow(passed, failed, kinds, onKafka, failedOnKafka);
    }

    ResultRow plus(ResultRow other) {
        Map<String, Long> both = new TreeMap<>(leftOut);
        other.leftOut.forEach((kind, count) -> both.merge(kind, count, Long::sum));
        return new ResultRow(
                passed + other.passed,
                failed + other.failed,
                both,
                onKafka + other.onKafka,
                failedOnKafka + other.failedOnKafka);
    }

    boolean hasRun() {
        return passed + failed > 0;
    }

    boolean hasRunOnKafka() {
        return onKafka + failedOnKafka > 0;
    }

    /** The tests that passed, and those that did not for another reason than these kinds. */
    long wanted(Set<String> outOfScope) {
        return passed
                + failed
                + leftOut.entrySet().stream()
                        .filter(kind -> !outOfScope.contains(kind.getKey()))
                        .mapToLong(Map.Entry::getValue)
                        .sum();
    }

    void addTo(Markdown.Table table, String title) {
        table.add(
                title,
                cell(passed),
                cell(failed),
                cell(leftOut.values().stream().mapToLong(Long::longValue).sum()),
                cell(onKafka) + (failedOnKafka == 0 ? "" : ", " + failedOnKafka + " failed"),
                leftOut.entrySet().stream()
                        .map(kind -> kind.getKey() + " " + kind.getValue())
                        .collect(Collectors.joining(", ")));
    }

    private static String cell(long count) {
        return count == 0 ? "" : String.valueOf(count);
    }
}
