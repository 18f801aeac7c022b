package io.rivulet.prove.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.prove.Row;
import io.rivulet.prove.Runner;
import io.rivulet.prove.hostile.HostileCheck.Sight;
import io.rivulet.prove.process.BrokerProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The check of hostile bytes holds, and catches bugs. {@code -Drivulet.seed=N} repeats it. */
final class HostileCheckIT {
    private static final long SEED = Long.getLong("rivulet.seed", System.nanoTime() >>> 20);
    private static final int FRAMES = 300;
    private static final Sight SOUND = new Sight(true, Set.of("log-writer", "event-loop-1"), 50 << 20, List.of());

    @TempDir
    private Path directory;

    @Test
    void noFrameMeetsAnUnknownErrorAndOthersAreServed() throws Exception {
        HostileCheck check = new HostileCheck();

        Row row = new Runner(Path.of("target", "prove-failures"))
                .run(check, SEED, check.points(), Duration.ofMinutes(20));

        assertThat(row.failures()).as("seed %d", SEED).isEmpty();
        assertThat(row.points()).isGreaterThanOrEqualTo(check.points());
    }

    @ParameterizedTest
    @EnumSource
    void aBrokerThatAnswersWronglyIsCaught(WrongBroker.Bug bug) throws Exception {
        try (WrongBroker broker = new WrongBroker(bug)) {
            assertThat(new HostileClient(broker.port(), SEED).send(FRAMES)).isNotEmpty();
        }
    }

    @Test
    void aProcessThatHasEndedIsCaughtAndServesNobody() throws Exception {
        try (BrokerProcess broker = BrokerProcess.start(
                directory,
                List.of("-Xmx128m"),
                Map.of(),
                Map.of(
                        "listeners",
                        "PLAINTEXT://localhost:0",
                        "log.dirs",
                        directory.resolve("data").toString()))) {
            int port = broker.awaitReady();
            Sight before = Sight.of(broker);
            assertThat(Sight.of(broker).complaints(before)).isEmpty();
            assertThat(GoodClient.complaint(port)).isNull();

            broker.kill();

            assertThat(Sight.of(broker).complaints(before)).contains("the process has ended");
            assertThat(GoodClient.complaint(port)).contains("not served");
        }
    }

    @Test
    void aThreadThatHasEndedIsCaught() {
        Sight without = new Sight(true, Set.of("log-writer"), 50 << 20, List.of());

        assertThat(without.complaints(SOUND)).containsExactly("the thread event-loop-1 has ended");
    }

    @Test
    void aHeapThatIsFullIsCaught() {
        Sight full = new Sight(true, SOUND.threads(), 220 << 20, List.of());

        assertThat(full.complaints(SOUND)).singleElement().asString().contains("220 MiB");
    }

    @Test
    void anErrorInTheLogIsCaught() {
        Sight failed = new Sight(true, SOUND.threads(), 50 << 20, List.of("12:00 ERROR A request failed"));

        assertThat(failed.complaints(SOUND)).containsExactly("12:00 ERROR A request failed");
    }
}
