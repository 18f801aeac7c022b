package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HexFormat;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.message.ApiVersionsResponseData.ApiVersion;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The first request of every client, with the codec of Kafka's own client. */
@SeveralBrokers
final class ApiVersionsIT {
    @TempDir
    private Path directory;

    private TestBroker broker;

    @BeforeEach
    void start() throws IOException {
        broker = TestBroker.start(directory);
    }

    @AfterEach
    void stop() throws IOException {
        broker.close();
    }

    @ParameterizedTest
    @ValueSource(shorts = {0, 1, 2, 3, 4, 5})
    void everyVersionIsAnsweredInThatVersion(short version) throws IOException {
        try (Wire wire = new Wire(broker)) {
            ApiVersionsResponseData response = ask(wire, version);

            assertThat(response.errorCode()).isEqualTo(Errors.NONE.code());
            assertThat(response.apiKeys().find(ApiKeys.API_VERSIONS.id))
                    .extracting(ApiVersion::minVersion, ApiVersion::maxVersion)
                    .containsExactly((short) 0, (short) 5);
        }
    }

    @Test
    void severalRequestsOnOneConnectionAreAnsweredInOrder() throws IOException {
        try (Wire wire = new Wire(broker)) {
            for (int i = 1; i <= 3; i++) {
                wire.send(ApiKeys.API_VERSIONS, (short) 3, request());
            }
            for (int correlationId = 1; correlationId <= 3; correlationId++) {
                assertThat(receive(wire, (short) 3, correlationId).apiKeys()).isNotEmpty();
            }
        }
    }

    @Test
    void anUnknownVersionReturnsTheSupportedVersions() throws IOException {
        try (Wire wire = new Wire(broker)) {
            byte[] header = {0, 0, 0, 11, 0, 18, 0, 99, 0, 0, 0, 7, 0, 0, 0};
            wire.send(ByteBuffer.wrap(header));

            ApiVersionsResponseData response = receive(wire, (short) 0, 7);

            assertThat(response.errorCode()).isEqualTo(Errors.UNSUPPORTED_VERSION.code());
            assertThat(response.apiKeys().find(ApiKeys.API_VERSIONS.id)).isNotNull();
            assertThat(ask(wire, (short) 3).errorCode()).isEqualTo(Errors.NONE.code());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "474554202f20485454502f312e310d0a0d0a", // HTTP, read as a length of 1.2 GB
                "16030100c4010000c00303", // TLS hello, read as a length of 369 MB
                "ffffffff0012", // a negative length
                "000000020012", // a frame too short for a header
                "0000000a000b00050000000100ff", // JoinGroup whose header is cut off
                "0000000a00120003000000010000", // a flexible request without its tags
            })
    void aClientThatBreaksTheRulesLosesItsConnectionAndNoOtherDoes(String hex) throws IOException {
        try (Wire good = new Wire(broker);
                Wire bad = new Wire(broker)) {
            bad.send(ByteBuffer.wrap(HexFormat.of().parseHex(hex)));

            assertThat(bad.isClosedByBroker()).isTrue();
            assertThat(ask(good, (short) 3).errorCode()).isEqualTo(Errors.NONE.code());
        }
    }

    private static ApiVersionsRequestData request() {
        return new ApiVersionsRequestData().setClientSoftwareName("it").setClientSoftwareVersion("1");
    }

    private static ApiVersionsResponseData ask(Wire wire, short version) throws IOException {
        return (ApiVersionsResponseData) wire.ask(ApiKeys.API_VERSIONS, version, request());
    }

    private static ApiVersionsResponseData receive(Wire wire, short version, int correlationId) throws IOException {
        return (ApiVersionsResponseData) wire.receive(ApiKeys.API_VERSIONS, version, correlationId);
    }
}
