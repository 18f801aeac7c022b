package io.rivulet.broker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

final class CommandLineLoggingTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

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
    void lowerLevelsAreNotLogged() {
        assertThat(logger("debug").isDebugEnabled()).isTrue();
        assertThat(logger("debug").isTraceEnabled()).isFalse();
        assertThat(logger("Warn").isInfoEnabled()).isFalse();
        assertThat(logger("off").isErrorEnabled()).isFalse();
        assertThat(logger("nonsense").isInfoEnabled()).isTrue();
        assertThat(logger("nonsense").isDebugEnabled()).isFalse();
    }

    private Logger logger(String level) {
        return new CommandLineLogger("io.rivulet.store.Disk", CommandLineLogging.leastLevel(level), new LogOutput(out));
    }
}
