package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Older Java clients, each in its own process. */
@Tag("clients")
@SeveralBrokers
final class OlderClientsIT {
    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"2.8.2", "3.9.1"})
    void recordsComeBackWithEveryCodec(String version) throws Exception {
        run("RoundTrip.java", version);
    }

    @ParameterizedTest
    @ValueSource(strings = {"2.8.2", "3.9.1"})
    void groupsGoOnWhereTheyHaveCommitted(String version) throws Exception {
        run("GroupRoundTrip.java", version);
    }

    @ParameterizedTest
    @ValueSource(strings = {"2.8.2", "3.9.1"})
    void transactionsOfTheFirstProtocolAreWhole(String version) throws Exception {
        run("TransactionRoundTrip.java", version);
    }

    private void run(String program, String version) throws Exception {
        try (TestBroker broker =
                TestBroker.start(directory.resolve("data"), Map.of("group.initial.rebalance.delay.ms", "100"))) {
            Programs.Outcome outcome =
                    JavaProgram.run(directory, version, List.of(), program, broker.bootstrapServers());

            assertThat(outcome.out()).as(outcome.err()).contains("all is well with " + version);
            assertThat(outcome.exitCode()).isZero();
        }
    }
}
