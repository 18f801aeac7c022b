package io.rivulet.it.suites;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ReportTest {
    private static final Suites SUITES = Suites.parse(Stream.of(
            "== run tools",
            "a.FirstTest",
            "== left out several: The test needs a second broker.",
            "a.FirstTest#failsOver",
            "b.SecondTest",
            "== left out unit: It starts no broker.",
            "c.ThirdTest"));

    @Test
    void countsByClassAndListsFailuresAndClassesLeftOut(@TempDir Path directory) throws IOException {
        Files.writeString(directory.resolve("TEST-a.FirstTest.xml"), """
                <testsuite name="a.FirstTest">
                  <testcase name="passes" classname="a.FirstTest"/>
                  <testcase name="failsOver" classname="a.FirstTest">
                    <skipped message="left out, several: The test needs a second broker."/>
                  </testcase>
                  <testcase name="passes" classname="a.FirstTest">
                    <skipped message="the same test, with broker and controller in one process of Kafka"/>
                  </testcase>
                  <testcase name="commits" classname="a.FirstTest">
                    <failure type="java.lang.AssertionError" message="expected 1&#10;but was 2"/>
                  </testcase>
                </testsuite>
                """);

        String text = new Report(SUITES, TestResult.readAll(directory)).text();

        assertThat(text)
                .contains("| tools FirstTest | 1 | 1 | 1 | several |")
                .contains("| **all** | 1 | 1 | 1 | several |")
                .contains("- several, 1: The test needs a second broker. SecondTest\n")
                .contains("- unit, 1: It starts no broker.\n")
                .contains("- FirstTest commits: AssertionError expected 1 but was 2\n");
    }
}
