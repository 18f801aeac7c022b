package io.rivulet.broker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.store.failure.FailureLatch;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class LogOutputTest {
    private static final long PATIENCE_MILLIS = 60_000;
    private static final String LINE = "x".repeat(99) + "\n";
    private static final int LINES_THAT_FIT = LogOutput.MAX_WAITING_BYTES / LINE.length();

    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private final Semaphore read = new Semaphore(0);
    private final FailureLatch failures = new FailureLatch();

    @Test
    void logCallsDoNotWaitForTheReaderAndDroppedLinesAreCounted() {
        LogOutput output = new LogOutput(pipe());
        output.startThread(failures);

        for (int i = 0; i < LINES_THAT_FIT + 7; i++) {
            output.write(LINE);
        }
        read.release(LINES_THAT_FIT + 1);
        output.awaitWritten(PATIENCE_MILLIS);

        assertThat(written.toString(StandardCharsets.UTF_8))
                .isEqualTo(LINE.repeat(LINES_THAT_FIT) + "7 log lines were dropped: standard error was not read"
                        + System.lineSeparator());
        read.release();
        output.write("and on\n");
        output.awaitWritten(PATIENCE_MILLIS);
        assertThat(written.toString(StandardCharsets.UTF_8)).endsWith("and on\n");
    }

    @Test
    void printsToStandardErrorDoNotWaitForTheReader() {
        LogOutput output = new LogOutput(pipe());
        output.startThread(failures);

        output.asStream().println("a warning of the JDK");
        output.asStream().print('!');
        read.release(3);
        output.awaitWritten(PATIENCE_MILLIS);

        assertThat(written.toString(StandardCharsets.UTF_8))
                .isEqualTo("a warning of the JDK" + System.lineSeparator() + "!");
    }

    @Test
    void theEndDoesNotWaitForUnreadLines() {
        LogOutput output = new LogOutput(pipe());
        output.startThread(failures);
        output.write(LINE);

        output.awaitWritten(1);

        assertThat(written.size()).isZero();
    }

    @Test
    void anErrorInTheThreadIsAFailureAndLaterLinesAreWritten() {
        LogOutput output = new LogOutput(new OutputStream() {
            private boolean thrown;

            @Override
            public void write(int b) {
                if (!thrown) {
                    thrown = true;
                    throw new StackOverflowError("once");
                }
                written.write(b);
            }
        });
        output.startThread(failures);

        output.write("a line\n");
        output.awaitWritten(PATIENCE_MILLIS);

        assertThat(failures.cause()).isInstanceOf(StackOverflowError.class);
        assertThat(written.toString(StandardCharsets.UTF_8)).isEqualTo("a line\n");
    }

    /** Accepts a line when its reader reads one. */
    private OutputStream pipe() {
        return new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("lines are written at once");
            }

            @Override
            public void write(byte[] line, int index, int length) {
                read.acquireUninterruptibly();
                written.write(line, index, length);
            }
        };
    }
}
