package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatRequestData;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatResponseData;
import org.apache.kafka.common.message.ListTransactionsRequestData;
import org.apache.kafka.common.message.ListTransactionsResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Short regular expressions that need seconds, gigabytes or a deep stack, sent to a broker in its own process. */
final class RegexBombIT {
    private static final short HEARTBEAT_VERSION = 1;
    private static final int DEPTH = 16_000;

    @TempDir
    private Path directory;

    private ServerProcess server;
    private int port;
    private ThreadCensus census;

    @BeforeEach
    void start() throws Exception {
        server = ServerProcess.start(
                directory,
                "--override=listeners=PLAINTEXT://localhost:0",
                "--override=rivulet.create.topics=there:1:1");
        port = server.awaitReady();
        census = ThreadCensus.of(server);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void thirtyTwoKilobytesOfParenthesesAreRefused() throws Exception {
        assertRefused("(".repeat(DEPTH) + "a" + ")".repeat(DEPTH));
        assertServesAndStops();
    }

    @Test
    void aProductOfRepeatsIsRefused() throws Exception {
        assertRefused("((a{1000}){1000}){1000}");
        assertRefused("a{1000}(?i){1000}(?s){1000}");
        assertServesAndStops();
    }

    /** The matcher is recursive for each anchor. */
    @Test
    void aRowOfAnchorsIsRefused() throws Exception {
        assertRefused("^".repeat(8192));
        assertServesAndStops();
    }

    @Test
    void foldingTheCaseOfManyCharactersIsRefused() throws Exception {
        assertRefused("(?i)[!-\\x{9fff}]");
        assertRefused("(?i)[B-\\x{1E900}]");
        assertServesAndStops();
    }

    @Test
    void classesOfThousandsOfRangesAreRefused() throws Exception {
        assertRefused("(?:[" + "\\pL".repeat(5000) + "])");
        assertServesAndStops();
    }

    @Test
    void thePatternOfTransactionalIdsIsBoundedToo() throws Exception {
        try (Wire wire = new Wire(port)) {
            ListTransactionsResponseData answer = (ListTransactionsResponseData) wire.ask(
                    ApiKeys.LIST_TRANSACTIONS,
                    (short) 2,
                    new ListTransactionsRequestData().setTransactionalIdPattern("((a{1000}){1000}){1000}"));

            assertThat(Errors.forCode(answer.errorCode())).isEqualTo(Errors.INVALID_REGULAR_EXPRESSION);
        }
        assertServesAndStops();
    }

    private void assertRefused(String regex) throws IOException {
        try (Wire wire = new Wire(port)) {
            long before = System.nanoTime();
            ConsumerGroupHeartbeatResponseData answer = heartbeat(wire, "bomb", regex);

            assertThat(Errors.forCode(answer.errorCode())).isEqualTo(Errors.INVALID_REGULAR_EXPRESSION);
            assertThat(answer.errorMessage().length()).isLessThan(1000);
            assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(SecondClient.SOON);
        } catch (SocketTimeoutException e) {
            throw new AssertionError("no response; output of the broker: " + server.err(), e);
        }
    }

    private static ConsumerGroupHeartbeatResponseData heartbeat(Wire wire, String group, String regex)
            throws IOException {
        return (ConsumerGroupHeartbeatResponseData) wire.ask(
                ApiKeys.CONSUMER_GROUP_HEARTBEAT,
                HEARTBEAT_VERSION,
                new ConsumerGroupHeartbeatRequestData()
                        .setGroupId(group)
                        .setMemberId("member")
                        .setMemberEpoch(0)
                        .setRebalanceTimeoutMs(1000)
                        .setTopicPartitions(List.of())
                        .setSubscribedTopicRegex(regex));
    }

    /** Asserts that all threads live, another client is served at once, and the broker ends on SIGTERM. */
    private void assertServesAndStops() throws Exception {
        census.assertAllLive(server);
        SecondClient.assertServes(port);
        try (Wire wire = new Wire(port)) {
            assertThat(Errors.forCode(heartbeat(wire, "good", "th.*").errorCode()))
                    .isEqualTo(Errors.NONE);
        }
        server.terminate();
        assertThat(server.awaitEnd()).isIn(0, 143);
    }
}
