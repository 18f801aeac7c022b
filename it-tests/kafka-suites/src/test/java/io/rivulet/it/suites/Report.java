package io.rivulet.it.suites;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Writes the table of results for docs/COMPATIBILITY.md from the XML files of the test plugin. */
final class Report {
    private static final String UNIT = "unit";
    private static final int LINE = 120;

    private final Suites suites;
    private final Map<String, List<TestResult>> results = new TreeMap<>();

    Report(Suites suites, List<TestResult> all) {
        this.suites = suites;
        all.stream()
                .filter(result -> !result.isTwin())
                .forEach(result -> results.computeIfAbsent(result.type(), type -> new ArrayList<>())
                        .add(result));
    }

    /** Arguments: the directory with the XML files, and the file to write. */
    public static void main(String[] arguments) throws IOException {
        Report report = new Report(Suites.load(), TestResult.readAll(Path.of(arguments[0])));
        Files.writeString(Path.of(arguments[1]), report.text());
    }

    String text() {
        return Stream.of(classes(), leftOutClasses(), failures()).collect(Collectors.joining("\n"));
    }

    private String classes() {
        StringBuilder text = new StringBuilder("| class | passed | failed | left out | why |\n|---|---|---|---|---|\n");
        List<TestResult> all = new ArrayList<>();
        results.forEach((type, of) -> {
            all.addAll(of);
            text.append(row(suites.groups().getOrDefault(type, "") + " " + simpleName(type), of));
        });
        return text.append(row("**all**", all)).toString();
    }

    private static String row(String title, List<TestResult> of) {
        Map<TestResult.Outcome, Long> counts =
                of.stream().collect(Collectors.groupingBy(TestResult::outcome, Collectors.counting()));
        String kinds = of.stream()
                .filter(result -> result.outcome() == TestResult.Outcome.LEFT_OUT)
                .map(TestResult::kind)
                .distinct()
                .sorted()
                .collect(Collectors.joining(", "));
        return "| " + title + " | " + count(counts, TestResult.Outcome.PASSED) + " | "
                + count(counts, TestResult.Outcome.FAILED) + " | " + count(counts, TestResult.Outcome.LEFT_OUT) + " | "
                + kinds + " |\n";
    }

    private static String count(Map<TestResult.Outcome, Long> counts, TestResult.Outcome outcome) {
        long count = counts.getOrDefault(outcome, 0L);
        return count == 0 ? "" : String.valueOf(count);
    }

    /** Unit tests are too many to name. */
    private String leftOutClasses() {
        Map<Suites.LeftOut, List<String>> byReason = new LinkedHashMap<>();
        suites.leftOut().forEach((name, why) -> {
            if (name.isClass()) {
                byReason.computeIfAbsent(why, reason -> new ArrayList<>()).add(simpleName(name.type()));
            }
        });
        StringBuilder text = new StringBuilder("Classes left out:\n\n");
        byReason.forEach((why, names) -> text.append(wrapped("- " + why.kind() + ", " + names.size() + ": "
                + why.reason() + (why.kind().equals(UNIT) ? "" : " " + String.join(", ", names)))));
        return text.toString();
    }

    private String failures() {
        StringBuilder text = new StringBuilder("Failures:\n\n");
        results.forEach((type, of) -> of.stream()
                .filter(result -> result.outcome() == TestResult.Outcome.FAILED)
                .forEach(result ->
                        text.append(wrapped("- " + simpleName(type) + " " + result.name() + ": " + result.message()))));
        return text.toString();
    }

    private static String simpleName(String type) {
        return type.substring(type.lastIndexOf('.') + 1);
    }

    /** Lines of documents have at most 120 characters. */
    private static String wrapped(String paragraph) {
        StringBuilder text = new StringBuilder();
        int column = 0;
        for (String word : paragraph.split(" ")) {
            if (column > 0 && column + word.length() >= LINE) {
                text.append("\n ");
                column = 1;
            }
            text.append(column == 0 ? "" : " ").append(word);
            column += word.length() + 1;
        }
        return text.append('\n').toString();
    }
}
