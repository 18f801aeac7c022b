package io.rivulet.broker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.tool.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.event.Level;

final class CommandLineLoggingTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final LogOutput output = new LogOutput(out);
    private final Instant started = Instant.now().truncatedTo(ChronoUnit.MILLIS);

    @Test
    void aLineHasTimeLevelLoggerAndMessage() {
        logger("info").info("{} of {} is full", 1, 2);
        logger("info").error("it is over");

        assertThat(out.toString(StandardCharsets.UTF_8))
                .matches("\\d\\d:\\d\\d:\\d\\d\\.\\d{3} INFO  Disk - 1 of 2 is full\\R"
                        + "\\d\\d:\\d\\d:\\d\\d\\.\\d{3} ERROR Disk - it is over\\R");
    }

    @Test
    void anExceptionIsPrintedBelowTheLineWithItsCause() {
        logger("warn").warn("{} failed", "x", new IllegalStateException("a", new IOException("b")));

        assertThat(out.toString(StandardCharsets.UTF_8))
                .containsSubsequence(
                        " WARN  Disk - x failed", "IllegalStateException: a", "Caused by: java.io.IOException: b");
    }

    @Test
    void aTextOfAClientMakesNoSecondLine() {
        logger("info").info("no topic {}", "a\n00:00:00.000 ERROR Disk - gone\u001b[2J");

        assertThat(out.toString(StandardCharsets.UTF_8))
                .endsWith(
                        " INFO  Disk - no topic a\\n00:00:00.000 ERROR Disk - gone\\u001b[2J" + System.lineSeparator())
                .hasLineCount(1);
    }

    @Test
    void aTextOfAClientInAnExceptionMakesNoSecondLine() {
        String forged = "a\n00:00:00.000 ERROR Disk - gone\u001b[2J\u2028";
        logger("warn").warn("failed", new IllegalStateException(forged, new IOException("\t" + forged)));

        assertThat(out.toString(StandardCharsets.UTF_8).lines())
                .contains(
                        "java.lang.IllegalStateException: a\\n00:00:00.000 ERROR Disk - gone\\u001b[2J\\u2028",
                        "Caused by: java.io.IOException: \\ta\\n00:00:00.000 ERROR Disk - gone\\u001b[2J\\u2028")
                .noneMatch(line -> line.startsWith("00:00:00.000 "))
                .filteredOn(line -> !line.startsWith("\tat ") && !line.startsWith("\t... "))
                .hasSize(3);
    }

    @Test
    void aNoteKeepsItsLinesAndNothingElse() {
        assertThat(LogFormat.TEXT.note(Level.ERROR, "first\nsecond\u001b[2J"))
                .isEqualTo("first" + System.lineSeparator() + "second\\u001b[2J" + System.lineSeparator());
    }

    @Test
    void asJsonEachEventIsAnObjectOnOneLine() {
        output.use(LogFormat.JSON);
        logger("info").info("{} is \"full\"\n", 1);
        logger("info").warn("failed", new IllegalStateException("a\nb", new IOException("c")));

        List<String> lines = out.toString(StandardCharsets.UTF_8).lines().toList();
        assertThat(lines).hasSize(2);
        assertThat(object(lines.get(0)))
                .hasToString("{time=" + time(lines.get(0)) + ", level=INFO, logger=io.rivulet.store.Disk, thread="
                        + Thread.currentThread().getName() + ", message=1 is \"full\"\n}");
        assertThat(Instant.parse(time(lines.get(0)))).isBetween(started, Instant.now());
        assertThat((String) object(lines.get(1)).get("error"))
                .startsWith("java.lang.IllegalStateException: a\nb\n\tat ")
                .contains("Caused by: java.io.IOException: c");
    }

    private static String time(String line) {
        return String.valueOf(object(line).get("time"));
    }

    private static Map<?, ?> object(String line) {
        return (Map<?, ?>) Objects.requireNonNull(Json.parse(line));
    }

    @Test
    void asJsonWhatTheJdkPrintsIsAnEventForEachLine() {
        output.use(LogFormat.JSON);
        output.asStream().printf("WARNING: %s%n%nsecond%n", "careful");

        assertThat(out.toString(StandardCharsets.UTF_8)
                        .lines()
                        .map(line -> String.valueOf(object(line).get("message"))))
                .containsExactly("WARNING: careful", "second");
    }

    @Test
    void lowerLevelsAreNotLogged() {
        assertThat(logger("debug").isDebugEnabled()).isTrue();
        assertThat(logger("debug").isTraceEnabled()).isFalse();
        assertThat(logger("Warn").isInfoEnabled()).isFalse();
        assertThat(logger("off").isErrorEnabled()).isFalse();
        assertThat(logger("nonsense").isInfoEnabled()).isTrue();
        assertThat(logger("nonsense").isDebugEnabled()).isFalse();
    }

    private Logger logger(String level) {
        return new CommandLineLogger("io.rivulet.store.Disk", CommandLineLogging.leastLevel(level), output);
    }
}
