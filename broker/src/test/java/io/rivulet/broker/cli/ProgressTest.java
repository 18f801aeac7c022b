package io.rivulet.broker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class ProgressTest {
    private final StringWriter err = new StringWriter();
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);

    private Progress progress(boolean terminal) {
        return new Progress(new PrintWriter(err), terminal, nanos::get);
    }

    private void pass(long millis) {
        nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
    }

    @Test
    void aTerminalHasOneLineThatIsRemovedAtTheEnd() {
        try (Progress progress = progress(true)) {
            pass(999);
            progress.at("log", 1, 10);
            assertThat(err.toString()).isEmpty();
            pass(1);
            progress.at("log", 2, 10);
            progress.at("log", 3, 10);
            pass(200);
            progress.at("blocks", 4, 10);
        }

        assertThat(err).hasToString("\r\u001b[Klog: 20 %\r\u001b[Kblocks: 40 %\r\u001b[K");
    }

    @Test
    void elsewhereThereIsALineAtLongIntervals() {
        try (Progress progress = progress(false)) {
            for (int i = 0; i < 100; i++) {
                progress.at("log", i, 100);
                pass(1000);
            }
        }

        assertThat(err.toString().lines()).containsExactly("log: 30 %", "log: 60 %", "log: 90 %");
    }

    @Test
    void aFastCommandSaysNothing() {
        try (Progress progress = progress(true)) {
            progress.at("log", 9, 10);
        }

        assertThat(err.toString()).isEmpty();
    }
}
