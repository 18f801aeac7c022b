package io.rivulet.broker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.store.failure.OwnerChangedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.Test;

final class ExitCodeTest {
    @Test
    void theCodeDependsOnTheKindOfFailure() {
        assertThat(ExitCode.of(new IllegalStateException(new OutOfMemoryError("heap"))))
                .isEqualTo(ExitCode.OUT_OF_MEMORY);
        assertThat(ExitCode.of(new UncheckedIOException(new IOException("EIO"))))
                .isEqualTo(ExitCode.IO_FAILURE);
        assertThat(ExitCode.of(new IOException(new OwnerChangedException("log"))))
                .isEqualTo(ExitCode.OWNER_CHANGED);
        assertThat(ExitCode.of(new StackOverflowError())).isEqualTo(ExitCode.INTERNAL_ERROR);
    }

    @Test
    void theAdviceForALackOfThreadsIsNotMoreMemory() {
        assertThat(ExitCode.advice(ExitCode.OUT_OF_MEMORY, new OutOfMemoryError("unable to create native thread")))
                .contains("ulimit -u");
        assertThat(ExitCode.advice(ExitCode.OUT_OF_MEMORY, new OutOfMemoryError("Java heap space")))
                .contains("-Xmx");
    }

    @Test
    void aMissingClassIsNotReportedAsABug() {
        assertThat(ExitCode.advice(ExitCode.INTERNAL_ERROR, new NoClassDefFoundError("x")))
                .contains("Program files");
        assertThat(ExitCode.advice(ExitCode.INTERNAL_ERROR, new StackOverflowError()))
                .contains("report");
    }
}
