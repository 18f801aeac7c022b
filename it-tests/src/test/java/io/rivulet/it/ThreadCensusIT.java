package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The helpers of tests of attacks. */
final class ThreadCensusIT {
    @TempDir
    private Path directory;

    @Test
    void anIdleBrokerServesASecondClientWithAllOfItsThreads() throws Exception {
        try (ServerProcess server = ServerProcess.in(directory)
                .shell("ulimit -n 1000")
                .java("-Xmx128m")
                .start("--override=listeners=PLAINTEXT://localhost:0")) {
            int port = server.awaitReady();
            SecondClient.assertServes(port);
            ThreadCensus before = ThreadCensus.of(server);

            SecondClient.assertServes(port);

            before.assertAllLive(server);
            assertThat(before.names()).contains("groups", "log-writer");
        }
    }
}
