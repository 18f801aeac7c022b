package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.Broker;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HexFormat;
import org.apache.kafka.common.message.ApiVersionsResponseData.ApiVersion;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.ApiVersionsRequest;
import org.apache.kafka.common.requests.ApiVersionsResponse;
import org.apache.kafka.common.requests.RequestHeader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The first request of every client, with the codec of Kafka's own client on the other side of a real socket. */
final class ApiVersionsIT {
    private static final int TIMEOUT_MILLIS = 10_000;

    @TempDir
    private Path directory;

    private Broker broker;

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
        try (Socket socket = connect()) {
            ApiVersionsResponse response = ask(socket, version, 41);

            assertThat(response.data().errorCode()).isEqualTo(Errors.NONE.code());
            assertThat(response.apiVersion(ApiKeys.API_VERSIONS.id))
                    .extracting(ApiVersion::minVersion, ApiVersion::maxVersion)
                    .containsExactly((short) 0, (short) 5);
        }
    }

    @Test
    void severalRequestsOnOneConnectionAreAnsweredInOrder() throws IOException {
        try (Socket socket = connect()) {
            for (int correlationId = 1; correlationId <= 3; correlationId++) {
                send(socket, (short) 3, correlationId);
            }
            for (int correlationId = 1; correlationId <= 3; correlationId++) {
                assertThat(receive(socket, (short) 3, correlationId).data().apiKeys())
                        .isNotEmpty();
            }
        }
    }

    @Test
    void aVersionFromTheFutureIsAnsweredWithWhatThereIs() throws IOException {
        try (Socket socket = connect()) {
            byte[] header = {0, 0, 0, 11, 0, 18, 0, 99, 0, 0, 0, 7, 0, 0, 0};
            socket.getOutputStream().write(header);

            ApiVersionsResponse response = receive(socket, (short) 0, 7);

            assertThat(response.data().errorCode()).isEqualTo(Errors.UNSUPPORTED_VERSION.code());
            assertThat(response.apiVersion(ApiKeys.API_VERSIONS.id)).isNotNull();
            assertThat(ask(socket, (short) 3, 8).data().errorCode()).isEqualTo(Errors.NONE.code());
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
    void aClientThatBreaksTheRulesLosesItsConnectionAndNobodyElseDoes(String hex) throws IOException {
        try (Socket good = connect();
                Socket bad = connect()) {
            bad.getOutputStream().write(HexFormat.of().parseHex(hex));

            assertThat(bad.getInputStream().read()).isEqualTo(-1);
            assertThat(ask(good, (short) 3, 1).data().errorCode()).isEqualTo(Errors.NONE.code());
        }
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(
                InetAddress.getLoopbackAddress(), broker.addresses().get(0).getPort());
        socket.setSoTimeout(TIMEOUT_MILLIS);
        return socket;
    }

    private static ApiVersionsResponse ask(Socket socket, short version, int correlationId) throws IOException {
        send(socket, version, correlationId);
        return receive(socket, version, correlationId);
    }

    private static void send(Socket socket, short version, int correlationId) throws IOException {
        ByteBuffer request = new ApiVersionsRequest.Builder()
                .build(version)
                .serializeWithHeader(new RequestHeader(ApiKeys.API_VERSIONS, version, "it", correlationId));
        ByteBuffer frame = ByteBuffer.allocate(Integer.BYTES + request.remaining());
        frame.putInt(request.remaining()).put(request);
        OutputStream out = socket.getOutputStream();
        out.write(frame.array());
    }

    /** Fails when the correlation id is another, or when bytes are left over. */
    private static ApiVersionsResponse receive(Socket socket, short version, int correlationId) throws IOException {
        DataInputStream in = new DataInputStream(socket.getInputStream());
        byte[] frame = new byte[in.readInt()];
        in.readFully(frame);
        ByteBuffer buffer = ByteBuffer.wrap(frame);
        RequestHeader header = new RequestHeader(ApiKeys.API_VERSIONS, version, "it", correlationId);
        AbstractResponse response = AbstractResponse.parseResponse(buffer, header);
        assertThat(buffer.remaining()).isZero();
        return (ApiVersionsResponse) response;
    }
}
