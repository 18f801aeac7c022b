package io.rivulet.store.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.store.faults.FaultShim.Call;
import io.rivulet.store.faults.FaultShim.Errno;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class FaultShimTest {
    @TempDir
    private Path scratch;

    private Path below;
    private FaultShim shim;

    @BeforeEach
    void compile() throws Exception {
        FaultShim.require();
        below = Files.createDirectory(scratch.resolve("below"));
        shim = FaultShim.compile(scratch, below);
    }

    @Test
    void aCallFailsAsLongAsItIsToldTo() throws Exception {
        shim.fail(Call.FORCE, Errno.EIO);
        assertThat(copy(below)).contains("Input/output error");
        assertThat(shim.struck()).isEqualTo(1);

        shim.heal();
        assertThat(copy(below)).isEmpty();
        assertThat(shim.struck()).isEqualTo(1);
    }

    @Test
    void eachCallHasItsError() throws Exception {
        for (Call call : List.of(Call.CREATE, Call.WRITE)) {
            shim.heal();
            shim.fail(call, Errno.ENOSPC);
            assertThat(copy(below)).as("%s", call).contains("No space left");
        }
    }

    @Test
    void onlyTheNthCallOfAProcessFails() throws Exception {
        shim.failNth(Call.WRITE, Errno.EDQUOT, 2);

        assertThat(copy(below)).contains("quota");
        assertThat(below.resolve("file")).hasSize(500);
    }

    @Test
    void otherFilesAreNotChanged() throws Exception {
        shim.fail(Call.CREATE, Errno.ENOSPC);

        assertThat(copy(scratch)).isEmpty();
    }

    @Test
    void aSlowDiskTakesItsTime() throws Exception {
        shim.slow(10_000);
        long start = System.nanoTime();

        assertThat(copy(below)).isEmpty();

        assertThat(System.nanoTime() - start).isGreaterThan(90_000_000L);
    }

    /** Writes and forces a file of 1,000 bytes, and returns the error output of the program. */
    private String copy(Path folder) throws IOException, InterruptedException {
        Path said = scratch.resolve("said");
        ProcessBuilder builder = new ProcessBuilder(new ArrayList<>(List.of(
                "dd",
                "if=/dev/zero",
                "of=" + folder.toRealPath().resolve("file"),
                "bs=500",
                "count=2",
                "conv=fsync",
                "status=none")));
        builder.environment().putAll(shim.environment());
        builder.environment().put("LC_ALL", "C");
        builder.redirectErrorStream(true).redirectOutput(said.toFile());
        builder.start().waitFor();
        return Files.readString(said);
    }
}
