package io.rivulet.it.suites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ReportTest {
    private static final Suites SUITES = Suites.parse(Stream.of(
            "== run tools",
            "a.FirstTest",
            "== run streams",
            "d.FourthTest",
            "== left out several: The test needs a second broker.",
            "a.FirstTest#failsOver",
            "b.SecondTest",
            "== left out unit: It starts no broker.",
            "c.ThirdTest"));

    @Test
    void countsByClassAndListsFailuresAndClassesLeftOut(@TempDir Path directory) throws IOException {
        Files.writeString(directory.resolve("TEST-a.FirstTest.xml"), """
                <testsuite name="a.FirstTest">
                  <testcase name="passes()[1]" classname="a.FirstTest"/>
                  <testcase name="failsOver" classname="a.FirstTest">
                    <skipped message="left out, several: The test needs a second broker."/>
                  </testcase>
                  <testcase name="passes()[2]" classname="a.FirstTest">
                    <skipped message="the same test, with broker and controller in one process of Kafka"/>
                  </testcase>
                  <testcase name="commits" classname="a.FirstTest">
                    <failure type="java.lang.AssertionError" message="expected 1&#10;but was 2"/>
                  </testcase>
                </testsuite>
                """);

        List<TestResult> results = TestResult.readAll(directory);
        String text = new Report(SUITES, results, results, Map.of()).text();

        assertThat(text)
                .contains("1 of 2 classes. 1 of 2 tests that one broker can pass do pass: 50.0 %.")
                .contains("| tools FirstTest | 1 | 1 | 1 | 1, 1 failed | several 1 |")
                .contains("| **all** | 1 | 1 | 1 | 1, 1 failed | several 1 |")
                .contains("- **several**: The test needs a second broker. FirstTest: failsOver; SecondTest.\n")
                .contains("- **unit**: It starts no broker. 1 classes.\n")
                .contains("- FirstTest `commits`: `AssertionError expected 1 but was 2`\n")
                .endsWith("### Not run\n- streams: FourthTest.\n");
    }

    @Test
    void onKafkaATwinDoesNotCountAndClassesWithoutARunAreNamed() {
        TestResult first = new TestResult("a.FirstTest", "passes()[1]", TestResult.Outcome.PASSED, "");
        TestResult twin =
                new TestResult("a.FirstTest", "passes()[2]", TestResult.Outcome.LEFT_OUT, "the same test, with more");
        TestResult twinOnKafka = new TestResult("a.FirstTest", "passes()[2]", TestResult.Outcome.PASSED, "");
        TestResult fourth = new TestResult("d.FourthTest", "passes()", TestResult.Outcome.PASSED, "");

        String text = new Report(SUITES, List.of(first, twin, fourth), List.of(first, twinOnKafka), Map.of()).text();

        assertThat(text)
                .contains("| tools FirstTest | 1 |  |  | 1 |  |")
                .contains("On Kafka itself, tests of 1 of these classes ran: 1 passed, 0")
                .doesNotContain("### Not run\n")
                .endsWith("### Not run on Kafka\n- streams: FourthTest.\n");
    }

    @Test
    void aFailureOfATestThatIsLeftOutByNowIsNoFailure() {
        TestResult failed = new TestResult("a.FirstTest", "failsOver()[1]", TestResult.Outcome.FAILED, "no broker 1");

        assertThat(new Report(SUITES, List.of(failed), List.of(), Map.of()).text())
                .contains("| tools FirstTest |  |  | 1 |  | several 1 |")
                .doesNotContain("### Failures");
    }

    @Test
    void aTestThatWasLeftOutHasTheReasonOfTodaysList() {
        TestResult leftOut = new TestResult(
                "a.FirstTest", "failsOver()[1]", TestResult.Outcome.LEFT_OUT, "left out, differs: Another text.");

        assertThat(new Report(SUITES, List.of(leftOut), List.of(), Map.of()).text())
                .contains("| tools FirstTest |  |  | 1 |  | several 1 |");
    }

    @Test
    void aClassWithoutResultsKeepsItsRow() {
        TestResult first = new TestResult("a.FirstTest", "passes()[1]", TestResult.Outcome.PASSED, "");
        String document = """
                | tools FirstTest | 7 |  | 9 | 5 | several 9 |
                | streams FourthTest | 2 |  | 3 | 2 | several 2, unit 1 |
                """;

        assertThat(new Report(SUITES, List.of(first), List.of(), ResultRow.ofDocument(document)).text())
                .contains("2 of 2 classes. 3 of 3 tests")
                .contains("| tools FirstTest | 1 |  |  | 5 |  |")
                .contains("| streams FourthTest | 2 |  | 3 | 2 | several 2, unit 1 |");
    }

    @Test
    void aTestThatWasLeftOutForAReasonThatIsGoneHasNotRun() {
        String document = "| streams FourthTest | 2 |  | 4 |  | differs 3, several 1 |";

        assertThat(new Report(SUITES, List.of(), List.of(), ResultRow.ofDocument(document)).text())
                .contains("2 of 5 tests")
                .contains("| streams FourthTest | 2 |  | 4 |  | not-run 3, several 1 |");
    }

    @Test
    void resultsWithAFailureAreNotKept() {
        String document = "| tools FirstTest | 7 | 1 |  |  |  |";

        assertThat(new Report(SUITES, List.of(), List.of(), ResultRow.ofDocument(document)).text())
                .contains("0 of 2 classes")
                .doesNotContain("| tools FirstTest |")
                .contains("### Not run\n- tools: FirstTest.\n- streams: FourthTest.");
    }

    @Test
    void aFailureOnRivuletLeavesTheResultsOnKafka() {
        TestResult first = new TestResult("a.FirstTest", "passes()[1]", TestResult.Outcome.PASSED, "");
        String document = """
                | tools FirstTest | 7 | 1 |  | 5 |  |
                | streams FourthTest | 2 | 1 | 3 | 4 | several 3 |
                """;

        assertThat(new Report(SUITES, List.of(first), List.of(), ResultRow.ofDocument(document)).text())
                .contains("On Kafka itself, tests of 2 of these classes ran: 9 passed, 0")
                .contains("| tools FirstTest | 1 |  |  | 5 |  |")
                .contains("| streams FourthTest |  |  |  | 4 |  |")
                .contains("### Not run\n- streams: FourthTest.\n");
    }

    @Test
    void aFailureOnKafkaLeavesTheResultsOnRivulet() {
        String document = "| tools FirstTest | 7 |  | 1 | 5, 2 failed | several 1 |";

        assertThat(new Report(SUITES, List.of(), List.of(), ResultRow.ofDocument(document)).text())
                .contains("| tools FirstTest | 7 |  | 1 |  | several 1 |")
                .contains("### Not run on Kafka\n- tools: FirstTest.\n");
    }

    @Test
    void replacesItsSectionOfADocument() {
        String document = "# Title\n\n" + Report.HEADING + "old\n### Older\nold\n\n## Next\nkept\n";

        assertThat(Report.withSection(document, Report.HEADING + "new\n"))
                .isEqualTo("# Title\n\n" + Report.HEADING + "new\n\n## Next\nkept\n");
        assertThatThrownBy(() -> Report.withSection("# Title\n", "new")).hasMessageContaining("no section");
    }

    @Test
    void linesOfAParagraphAreShort() {
        String paragraph = "- " + "word ".repeat(100);

        assertThat(Markdown.wrapped(paragraph).lines())
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(120))
                .element(1, STRING)
                .startsWith("  word");
    }
}
