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
    /** By the type of the class. */
    private final Map<String, ResultRow> rows = new LinkedHashMap<>();

    /**
     * @param onKafka results of the same tests on Kafka itself
     * @param before the rows of the document, which stay for classes that have no results
     */
    Report(Suites suites, List<TestResult> results, List<TestResult> onKafka, Map<String, ResultRow> before) {
        this.suites = suites;
        this.results = results.stream()
                .filter(result -> !result.isTwin())
                .map(this::asListed)
                .toList();
        Set<String> twins =
                results.stream().filter(TestResult::isTwin).map(TestResult::id).collect(Collectors.toSet());
        this.onKafka =
                onKafka.stream().filter(result -> !twins.contains(result.id())).toList();
        suites.groups().forEach((type, group) -> {
            ResultRow row = row(type, before.getOrDefault(title(type, group), ResultRow.NONE));
            if (!row.equals(ResultRow.NONE)) {
                rows.put(type, row);
            }
        });
    }

    private ResultRow row(String type, ResultRow before) {
        List<TestResult> own = of(results, type);
        List<TestResult> kafka = of(onKafka, type);
        ResultRow row = own.isEmpty() ? before.withKindsOf(kinds()) : ResultRow.of(own, List.of());
        return row.withKafka(kafka.isEmpty() ? before : ResultRow.of(List.of(), kafka));
    }

    private Set<String> kinds() {
        Set<String> kinds =
                suites.leftOut().values().stream().map(Suites.LeftOut::kind).collect(Collectors.toSet());
        kinds.add(TestResult.KAFKA);
        return kinds;
    }

    private static String title(String type, String group) {
        return group + " " + simpleName(type);
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
        Map<String, ResultRow> before =
                arguments[3].equals("none") ? Map.of() : ResultRow.ofDocument(Files.readString(Path.of(arguments[3])));
        Report report = new Report(
                Suites.load(),
                TestResult.readAll(Path.of(arguments[0])),
                TestResult.readAll(Path.of(arguments[1])),
                before);
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
        ResultRow all = all();
        long wanted = all.wanted(OUT_OF_SCOPE);
        String sentence = String.format(
                Locale.ROOT,
                "Apache Kafka %s, %d of %d classes. %d of %d tests that one broker can pass do pass: %.1f %%.",
                AppInfoParser.getVersion(),
                rows.keySet().stream().filter(this::hasResults).count(),
                suites.groups().size(),
                all.passed(),
                wanted,
                wanted == 0 ? 0 : 100.0 * all.passed() / wanted);
        String notRun = all.leftOut().containsKey(ResultRow.NOT_RUN)
                ? " Tests of the kind " + ResultRow.NOT_RUN + " were left out for a reason that is gone."
                : "";
        return HEADING
                + Markdown.wrapped(sentence + " Not counted are tests of the kinds "
                        + String.join(", ", new TreeSet<>(OUT_OF_SCOPE))
                        + ". The kinds are explained below the table." + notRun + " " + summaryOfKafka(all));
    }

    private String summaryOfKafka(ResultRow all) {
        return String.format(
                Locale.ROOT,
                "On Kafka itself, tests of %d of these classes ran: %d passed, %d failed.",
                rows.values().stream().filter(ResultRow::hasRunOnKafka).count(),
                all.onKafka(),
                all.failedOnKafka());
    }

    private ResultRow all() {
        return rows.values().stream().reduce(ResultRow.NONE, ResultRow::plus);
    }

    private boolean hasResults(String type) {
        return !rows.getOrDefault(type, ResultRow.NONE)
                .withKafka(ResultRow.NONE)
                .equals(ResultRow.NONE);
    }

    private String classes() {
        Markdown.Table table = new Markdown.Table("class", "passed", "failed", "left out", "Kafka", "why");
        suites.groups().forEach((type, group) -> {
            ResultRow row = rows.get(type);
            if (row != null) {
                row.addTo(table, title(type, group));
            }
        });
        all().addTo(table, "**all**");
        return table.text();
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
        return classes("### Not run\n", type -> !hasResults(type))
                + classes("### Not run on Kafka\n", type -> {
                    ResultRow row = rows.getOrDefault(type, ResultRow.NONE);
                    return row.hasRun() && !row.hasRunOnKafka();
                });
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
