package io.rivulet.it.suites;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.utils.AppInfoParser;

/** Writes the results of Kafka's tests as a section of docs/COMPATIBILITY.md. */
final class Report {
    static final String HEADING = "## Results of Kafka's tests\n";

    /** Kinds of tests that one broker cannot pass here, or that need a whole part of Kafka that is not served. */
    private static final Set<String> OUT_OF_SCOPE = Set.of(
            "controllers",
            "flaky",
            "internals",
            "kafka",
            "library",
            "network",
            "plugins",
            "several",
            "share",
            "tiered",
            "unit");

    private static final String UNIT = "unit";
    private static final Pattern METHOD = Pattern.compile("\\w+");

    private final Suites suites;
    private final List<TestResult> results;
    private final List<TestResult> onKafka;

    /** @param onKafka results of the same tests on Kafka itself */
    Report(Suites suites, List<TestResult> results, List<TestResult> onKafka) {
        this.suites = suites;
        this.results = results.stream()
                .filter(result -> !result.isTwin())
                .map(this::asListed)
                .toList();
        Set<String> twins =
                results.stream().filter(TestResult::isTwin).map(TestResult::id).collect(Collectors.toSet());
        this.onKafka =
                onKafka.stream().filter(result -> !twins.contains(result.id())).toList();
    }

    /** An earlier run may have had another list: a test that failed or was left out has the reason of today's list. */
    private TestResult asListed(TestResult result) {
        Matcher method = METHOD.matcher(result.name());
        return result.outcome() != TestResult.Outcome.PASSED && method.lookingAt()
                ? suites.leftOut(result.type(), method.group(), result.name())
                        .map(result::leftOut)
                        .orElse(result)
                : result;
    }

    /**
     * Arguments: the directories with the XML files of Rivulet and of Kafka, the file to write, and the document whose
     * section is replaced, or "none".
     */
    public static void main(String[] arguments) throws IOException {
        Report report = new Report(
                Suites.load(), TestResult.readAll(Path.of(arguments[0])), TestResult.readAll(Path.of(arguments[1])));
        Files.writeString(Path.of(arguments[2]), report.text());
        if (!arguments[3].equals("none")) {
            Path document = Path.of(arguments[3]);
            Files.writeString(document, withSection(Files.readString(document), report.text()));
        }
    }

    /** Replaces the section that has the heading of the report. It ends at the next heading of its level. */
    static String withSection(String document, String section) {
        int start = document.indexOf("\n" + HEADING) + 1;
        if (start == 0) {
            throw new IllegalArgumentException("the document has no section " + HEADING.strip());
        }
        int next = document.indexOf("\n## ", start);
        String after = next < 0 ? "" : document.substring(next);
        return document.substring(0, start) + section + after;
    }

    String text() {
        return Stream.of(summary(), classes(), failures(), leftOut(), notRun())
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining("\n"));
    }

    private String summary() {
        long passed = count(results, TestResult.Outcome.PASSED);
        long wanted = results.stream()
                .filter(result -> !OUT_OF_SCOPE.contains(result.kind()))
                .count();
        long ran = suites.groups().keySet().stream()
                .filter(type -> !of(results, type).isEmpty())
                .count();
        String sentence = String.format(
                Locale.ROOT,
                "Apache Kafka %s, %d of %d classes. %d of %d tests that one broker can pass do pass: %.1f %%.",
                AppInfoParser.getVersion(),
                ran,
                suites.groups().size(),
                passed,
                wanted,
                wanted == 0 ? 0 : 100.0 * passed / wanted);
        return HEADING
                + Markdown.wrapped(sentence + " Not counted are tests of the kinds "
                        + String.join(", ", new TreeSet<>(OUT_OF_SCOPE))
                        + ". The kinds are explained below the table. " + summaryOfKafka());
    }

    private String summaryOfKafka() {
        long ran = suites.groups().keySet().stream()
                .filter(type -> !of(onKafka, type).isEmpty())
                .count();
        return String.format(
                Locale.ROOT,
                "On Kafka itself, %d of these classes ran: %d tests passed, %d failed.",
                ran,
                count(onKafka, TestResult.Outcome.PASSED),
                count(onKafka, TestResult.Outcome.FAILED));
    }

    private String classes() {
        Markdown.Table table = new Markdown.Table("class", "passed", "failed", "left out", "Kafka", "why");
        suites.groups().forEach((type, group) -> {
            List<TestResult> own = of(results, type);
            List<TestResult> kafka = of(onKafka, type);
            if (!own.isEmpty() || !kafka.isEmpty()) {
                addRow(table, group + " " + simpleName(type), own, kafka);
            }
        });
        addRow(table, "**all**", results, onKafka);
        return table.text();
    }

    private static void addRow(Markdown.Table table, String title, List<TestResult> own, List<TestResult> kafka) {
        String kinds = own.stream()
                .filter(result -> result.outcome() == TestResult.Outcome.LEFT_OUT)
                .map(TestResult::kind)
                .distinct()
                .sorted()
                .collect(Collectors.joining(", "));
        long failedOnKafka = count(kafka, TestResult.Outcome.FAILED);
        table.add(
                title,
                cell(count(own, TestResult.Outcome.PASSED)),
                cell(count(own, TestResult.Outcome.FAILED)),
                cell(count(own, TestResult.Outcome.LEFT_OUT)),
                cell(count(kafka, TestResult.Outcome.PASSED))
                        + (failedOnKafka == 0 ? "" : ", " + failedOnKafka + " failed"),
                kinds);
    }

    private static long count(List<TestResult> of, TestResult.Outcome outcome) {
        return of.stream().filter(result -> result.outcome() == outcome).count();
    }

    private static String cell(long count) {
        return count == 0 ? "" : String.valueOf(count);
    }

    private String failures() {
        return failures("### Failures\n", results) + failures("### Failures on Kafka\n", onKafka);
    }

    private static String failures(String heading, List<TestResult> of) {
        StringBuilder text = new StringBuilder();
        of.stream()
                .filter(result -> result.outcome() == TestResult.Outcome.FAILED)
                .map(result ->
                        "- " + simpleName(result.type()) + " `" + result.name() + "`: `" + result.message() + "`")
                .sorted()
                .forEach(line -> text.append(Markdown.wrapped(line)));
        return text.length() == 0 ? "" : heading + text;
    }

    /** Unit tests are too many to name. */
    private String leftOut() {
        Map<Suites.LeftOut, Set<Suites.Name>> byReason = new LinkedHashMap<>();
        suites.leftOut()
                .forEach((name, why) -> byReason.computeIfAbsent(why, reason -> new LinkedHashSet<>())
                        .add(name));
        StringBuilder text = new StringBuilder("### Left out\n");
        byReason.forEach((why, names) -> text.append(Markdown.wrapped("- **" + why.kind() + "**: " + why.reason() + " "
                + (why.kind().equals(UNIT) ? names.size() + " classes." : named(names)))));
        return text.toString();
    }

    private static String named(Set<Suites.Name> names) {
        Map<String, List<String>> byClass = new LinkedHashMap<>();
        for (Suites.Name name : names) {
            List<String> methods = byClass.computeIfAbsent(simpleName(name.type()), type -> new ArrayList<>());
            if (!name.isClass()) {
                methods.add((name.method() + " " + name.text()).strip());
            }
        }
        return byClass.entrySet().stream()
                .map(of -> of.getKey() + (of.getValue().isEmpty() ? "" : ": " + String.join(", ", of.getValue())))
                .collect(Collectors.joining("; ", "", "."));
    }

    private String notRun() {
        return classes("### Not run\n", type -> of(results, type).isEmpty())
                + classes(
                        "### Not run on Kafka\n",
                        type -> hasRun(of(results, type)) && of(onKafka, type).isEmpty());
    }

    private static boolean hasRun(List<TestResult> of) {
        return of.stream().anyMatch(result -> result.outcome() != TestResult.Outcome.LEFT_OUT);
    }

    private String classes(String heading, Predicate<String> isNamed) {
        Map<String, List<String>> byGroup = new LinkedHashMap<>();
        suites.groups().forEach((type, group) -> {
            if (isNamed.test(type)) {
                byGroup.computeIfAbsent(group, name -> new ArrayList<>()).add(simpleName(type));
            }
        });
        StringBuilder text = new StringBuilder();
        byGroup.forEach(
                (group, names) -> text.append(Markdown.wrapped("- " + group + ": " + String.join(", ", names) + ".")));
        return byGroup.isEmpty() ? "" : heading + text;
    }

    private static List<TestResult> of(List<TestResult> all, String type) {
        Predicate<String> same = other -> other.equals(type) || other.startsWith(type + "$");
        return all.stream().filter(result -> same.test(result.type())).toList();
    }

    private static String simpleName(String type) {
        return type.substring(type.lastIndexOf('.') + 1);
    }
}
