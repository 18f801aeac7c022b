package io.rivulet.prove.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class KeptFilesTest {
    @TempDir
    private Path scratch;

    private Path kept = Path.of("");

    @BeforeEach
    void name() {
        kept = scratch.resolve("kept");
    }

    @Test
    void nothingIsKeptIfNothingIsWrong() throws Exception {
        assertThat(KeptFiles.run("kill-1", scratch, kept, directory -> List.of()))
                .isEmpty();
        assertThat(scratch).isEmptyDirectory();
    }

    @Test
    void theFilesOfAViolationAreKept() throws Exception {
        List<String> said = KeptFiles.run("kill-1", scratch, kept, directory -> {
            Files.writeString(directory.resolve("log"), "text");
            return List.of("a record is lost");
        });

        assertThat(said)
                .singleElement()
                .asString()
                .contains(kept.resolve("kill-1").toString(), "a record is lost");
        assertThat(kept.resolve("kill-1").resolve("log")).hasContent("text");
        assertThat(scratch.resolve("kill-1")).doesNotExist();
    }

    @Test
    void theFilesOfABrokerThatDoesNotStartAreKept() {
        assertThatThrownBy(() -> KeptFiles.run("kill-1", scratch, kept, directory -> {
                    throw new IOException("the broker is not ready");
                }))
                .hasMessageContaining(kept.resolve("kill-1").toString())
                .hasRootCauseMessage("the broker is not ready");
        assertThat(kept.resolve("kill-1")).exists();
    }
}
