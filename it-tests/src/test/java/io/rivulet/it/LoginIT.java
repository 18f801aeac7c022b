package io.rivulet.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.it.Wire.Question;
import java.io.IOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.message.DescribeClusterRequestData;
import org.apache.kafka.common.message.DescribeClusterResponseData;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.SaslAuthenticateRequestData;
import org.apache.kafka.common.message.SaslAuthenticateResponseData;
import org.apache.kafka.common.message.SaslHandshakeRequestData;
import org.apache.kafka.common.message.SaslHandshakeResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What clients may send before they have logged in, byte by byte. */
@SeveralBrokers
final class LoginIT {
    private static final byte[] RIGHT = "\0alice\0secret".getBytes(UTF_8);
    private static final byte[] WRONG = "\0alice\0wrong".getBytes(UTF_8);
    private static final int MIB = 1 << 20;

    @TempDir
    private Path directory;

    private TestBroker broker;

    @BeforeEach
    void start() throws IOException {
        broker = start(Map.of());
    }

    private TestBroker start(Map<String, String> settings) throws IOException {
        Map<String, String> all = new HashMap<>(Map.of(
                "listeners", "SASL_PLAINTEXT://localhost:0,PLAINTEXT://localhost:0",
                "rivulet.users", "alice:secret,bob:word",
                "connection.failed.authentication.delay.ms", "1"));
        all.putAll(settings);
        return TestBroker.start(directory, all);
    }

    private void restart(String key, String value) throws IOException {
        broker.close();
        broker = start(Map.of(key, value));
    }

    @AfterEach
    void othersCanLogIn() throws IOException {
        try (Wire wire = new Wire(broker)) {
            choose(wire, "PLAIN");
            assertThat(authenticate(wire, RIGHT).errorCode()).isZero();
            assertServed(wire);
        } finally {
            broker.close();
        }
    }

    private static SaslHandshakeResponseData choose(Wire wire, String mechanism) throws IOException {
        return (SaslHandshakeResponseData)
                wire.ask(ApiKeys.SASL_HANDSHAKE, (short) 1, new SaslHandshakeRequestData().setMechanism(mechanism));
    }

    private static SaslAuthenticateResponseData authenticate(Wire wire, byte[] token) throws IOException {
        return (SaslAuthenticateResponseData)
                wire.ask(ApiKeys.SASL_AUTHENTICATE, (short) 2, new SaslAuthenticateRequestData().setAuthBytes(token));
    }

    private static ApiVersionsResponseData versions(Wire wire) throws IOException {
        return (ApiVersionsResponseData) wire.ask(ApiKeys.API_VERSIONS, (short) 0, new ApiVersionsRequestData());
    }

    private static void assertServed(Wire wire) throws IOException {
        DescribeClusterResponseData answer = (DescribeClusterResponseData)
                wire.ask(ApiKeys.DESCRIBE_CLUSTER, (short) 0, new DescribeClusterRequestData());
        assertThat(answer.brokers()).hasSize(TestBroker.COUNT);
    }

    // ---- order ----

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void noOtherRequestIsServedBeforeTheLogin(boolean afterVersions) throws IOException {
        try (Wire wire = new Wire(broker)) {
            if (afterVersions) {
                versions(wire);
            }
            wire.send(ApiKeys.METADATA, (short) 9, new MetadataRequestData());
            assertThat(wire.isClosedByBroker()).isTrue();
        }
    }

    @Test
    void aLongRequestBeforeTheLoginIsNotRead() throws IOException {
        try (Wire wire = new Wire(broker)) {
            wire.send(ByteBuffer.allocate(12)
                    .putInt(524_289)
                    .putShort(ApiKeys.SASL_HANDSHAKE.id)
                    .putShort((short) 1)
                    .putInt(1)
                    .flip());
            assertThat(wire.isClosedByBroker()).isTrue();
        }
    }

    @Test
    void versionsAreAskedForOnce() throws IOException {
        try (Wire wire = new Wire(broker)) {
            versions(wire);
            wire.send(ApiKeys.API_VERSIONS, (short) 0, new ApiVersionsRequestData());
            assertThat(wire.isClosedByBroker()).isTrue();
        }
    }

    @Test
    void versionsWhereATokenIsDueEndTheLogin() throws IOException {
        try (Wire wire = new Wire(broker)) {
            choose(wire, "PLAIN");
            assertThat(versions(wire).errorCode()).isEqualTo(Errors.ILLEGAL_SASL_STATE.code());
            assertThat(wire.isClosedByBroker()).isTrue();
        }
    }

    @Test
    void anotherMechanismMidwayEndsTheLogin() throws IOException {
        try (Wire wire = new Wire(broker)) {
            choose(wire, "SCRAM-SHA-256");
            authenticate(wire, "n,,n=alice,r=abc".getBytes(UTF_8));
            assertThat(choose(wire, "PLAIN").errorCode()).isEqualTo(Errors.ILLEGAL_SASL_STATE.code());
            assertThat(wire.isClosedByBroker()).isTrue();
        }
    }

    @Test
    void anUnknownMechanismIsRefusedWithTheKnownOnes() throws IOException {
        try (Wire wire = new Wire(broker)) {
            SaslHandshakeResponseData answer = choose(wire, "GSSAPI");
            assertThat(answer.errorCode()).isEqualTo(Errors.UNSUPPORTED_SASL_MECHANISM.code());
            assertThat(answer.mechanisms()).containsExactly("PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512");
            assertThat(wire.isClosedByBroker()).isTrue();
        }
    }

    @Test
    void requestsBehindAFailedLoginAreNotServed() throws IOException {
        try (Wire wire = new Wire(broker)) {
            choose(wire, "PLAIN");
            List<ApiMessage> answers = wire.askTogether(
                    new Question(ApiKeys.SASL_AUTHENTICATE, 2, new SaslAuthenticateRequestData().setAuthBytes(WRONG)));
            assertThat(((SaslAuthenticateResponseData) answers.get(0)).errorMessage())
                    .isEqualTo("Authentication failed: Invalid username or password");
            assertThat(wire.isClosedByBroker()).isTrue();
        }
        try (Wire wire = new Wire(broker)) {
            choose(wire, "PLAIN");
            wire.askFirst(
                    new Question(ApiKeys.SASL_AUTHENTICATE, 2, new SaslAuthenticateRequestData().setAuthBytes(WRONG)),
                    new Question(ApiKeys.SASL_AUTHENTICATE, 2, new SaslAuthenticateRequestData().setAuthBytes(RIGHT)),
                    new Question(ApiKeys.METADATA, 9, new MetadataRequestData()));
            assertThat(wire.isClosedByBroker()).isTrue();
        }
    }

    @Test
    void requestsBehindALoginAreServedInOrder() throws IOException {
        try (Wire wire = new Wire(broker)) {
            List<ApiMessage> answers = wire.askTogether(
                    new Question(ApiKeys.API_VERSIONS, 0, new ApiVersionsRequestData()),
                    new Question(ApiKeys.SASL_HANDSHAKE, 1, new SaslHandshakeRequestData().setMechanism("PLAIN")),
                    new Question(ApiKeys.SASL_AUTHENTICATE, 2, new SaslAuthenticateRequestData().setAuthBytes(RIGHT)),
                    new Question(ApiKeys.DESCRIBE_CLUSTER, 0, new DescribeClusterRequestData()));
            assertThat(((DescribeClusterResponseData) answers.get(3)).brokers()).hasSize(TestBroker.COUNT);
        }
    }

    @Test
    void afterALoginThatLastsThereIsNoOther() throws IOException {
        try (Wire wire = new Wire(broker)) {
            choose(wire, "PLAIN");
            SaslAuthenticateResponseData answer = authenticate(wire, RIGHT);
            assertThat(answer.sessionLifetimeMs()).isZero();
            assertThat(choose(wire, "PLAIN").errorCode()).isEqualTo(Errors.ILLEGAL_SASL_STATE.code());
            assertThat(authenticate(wire, RIGHT).errorCode()).isEqualTo(Errors.ILLEGAL_SASL_STATE.code());
            assertServed(wire);
        }
    }

    @Test
    void withoutSaslALoginIsOutOfPlace() throws IOException {
        try (Wire wire = new Wire(broker.addresses().get(1).getPort())) {
            assertThat(choose(wire, "PLAIN").errorCode()).isEqualTo(Errors.ILLEGAL_SASL_STATE.code());
            assertThat(authenticate(wire, RIGHT).errorCode()).isEqualTo(Errors.ILLEGAL_SASL_STATE.code());
            assertServed(wire);
        }
    }

    // ---- tokens ----

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "alice",
                "\0alice",
                "\0alice\0",
                "\0\0secret",
                "\0alice\0secret\0",
                "bob\0alice\0secret",
                "\0alice\0Secret",
                "\0alice\0secre",
                "\0unknown\0secret",
                "\0unknown\0no password of any user",
            })
    void aTokenOfPlainThatIsWrongIsRefused(String token) throws IOException {
        try (Wire wire = new Wire(broker)) {
            choose(wire, "PLAIN");
            assertThat(authenticate(wire, token.getBytes(UTF_8)).errorCode())
                    .isEqualTo(Errors.SASL_AUTHENTICATION_FAILED.code());
            assertThat(wire.isClosedByBroker()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "n,,",
                "n,,n=alice",
                "n,,n=alice,r=",
                "n,,n=,r=abc",
                "n,,n=al=ice,r=abc",
                "n,,n=alice,r=a b",
                "p=tls-unique,,n=alice,r=abc",
                "n,a=bob,n=alice,r=abc",
                "n,,n=alice,r=abc,tokenauth=true",
            })
    void aFirstTokenOfScramThatIsWrongIsRefused(String token) throws IOException {
        try (Wire wire = new Wire(broker)) {
            choose(wire, "SCRAM-SHA-256");
            assertThat(authenticate(wire, token.getBytes(UTF_8)).errorCode())
                    .isEqualTo(Errors.SASL_AUTHENTICATION_FAILED.code());
            assertThat(wire.isClosedByBroker()).isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource({"abc,c=biws", "NONCE,c=biws", "NONCE,c=eSws", "NONCEx,c=biws"})
    void aLastTokenOfScramThatIsWrongIsRefused(String nonce, String channel) throws IOException {
        try (Wire wire = new Wire(broker)) {
            choose(wire, "SCRAM-SHA-256");
            String first = new String(
                    authenticate(wire, "n,,n=alice,r=abc".getBytes(UTF_8)).authBytes(), UTF_8);
            String whole = first.substring(2, first.indexOf(','));
            String last = channel + ",r=" + nonce.replace("NONCE", whole) + ",p=" + "A".repeat(43) + "=";
            assertThat(authenticate(wire, last.getBytes(UTF_8)).errorMessage())
                    .isEqualTo("Authentication failed during authentication due to invalid credentials with SASL"
                            + " mechanism SCRAM-SHA-256");
        }
    }

    /** A name that does not exist always has the same salt, of the same form, and fails as late. */
    @Test
    void scramDoesNotTellWhichUsersExist() throws IOException {
        List<String> salts = new ArrayList<>();
        for (String user : List.of("alice", "unknown", "unknown")) {
            try (Wire wire = new Wire(broker)) {
                choose(wire, "SCRAM-SHA-512");
                String first = new String(
                        authenticate(wire, ("n,,n=" + user + ",r=abc").getBytes(UTF_8))
                                .authBytes(),
                        UTF_8);
                assertThat(first).matches("r=abc[^,]{20,},s=[A-Za-z0-9+/=]{32,36},i=4096");
                salts.add(first.substring(first.indexOf(",s=")));
            }
        }
        assertThat(salts.get(1)).isEqualTo(salts.get(2)).isNotEqualTo(salts.get(0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"PLAIN", "SCRAM-SHA-256"})
    void aHugeTokenIsRefused(String mechanism) throws IOException {
        byte[] token = ("n,,n=alice,r=" + "a".repeat(500_000)).getBytes(UTF_8);
        try (Wire wire = new Wire(broker)) {
            choose(wire, mechanism);
            assertThat(authenticate(wire, token).errorCode()).isEqualTo(Errors.SASL_AUTHENTICATION_FAILED.code());
        }
        try (Wire wire = new Wire(broker)) {
            choose(wire, mechanism);
            wire.send(ByteBuffer.allocate(4).putInt(10 * MIB).flip());
            assertThat(wire.isClosedByBroker()).isTrue();
        }
    }

    // ---- tokens without headers ----

    @Test
    void oldClientsSendTokensWithoutHeaders() throws IOException {
        try (Wire wire = new Wire(broker)) {
            wire.ask(ApiKeys.SASL_HANDSHAKE, (short) 0, new SaslHandshakeRequestData().setMechanism("PLAIN"));
            assertThat(wire.askRaw(RIGHT)).isEmpty();
            assertServed(wire);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MAX_VALUE, -1, 10 << 20, 524_289})
    void aTokenWithoutAHeaderIsNotLonger(int length) throws IOException {
        try (Wire wire = new Wire(broker)) {
            wire.ask(ApiKeys.SASL_HANDSHAKE, (short) 0, new SaslHandshakeRequestData().setMechanism("PLAIN"));
            wire.send(ByteBuffer.allocate(Integer.BYTES).putInt(length).flip());
            assertThat(wire.isClosedByBroker()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "abc", "\0alice\0wrong"})
    void aWrongTokenWithoutAHeaderHasNoAnswer(String token) throws IOException {
        try (Wire wire = new Wire(broker)) {
            wire.ask(ApiKeys.SASL_HANDSHAKE, (short) 0, new SaslHandshakeRequestData().setMechanism("PLAIN"));
            byte[] bytes = token.getBytes(UTF_8);
            wire.send(ByteBuffer.allocate(Integer.BYTES + bytes.length)
                    .putInt(bytes.length)
                    .put(bytes)
                    .flip());
            assertThat(wire.isClosedByBroker()).isTrue();
        }
    }

    // ---- another login on the same connection ----

    @Test
    void aClientLogsInAgainWhileItsLoginIsValid() throws IOException {
        restart("connections.max.reauth.ms", "100000");
        try (Wire wire = new Wire(broker)) {
            choose(wire, "PLAIN");
            assertThat(authenticate(wire, RIGHT).sessionLifetimeMs()).isEqualTo(100_000);
            assertServed(wire);
            assertThat(choose(wire, "PLAIN").errorCode()).isZero();
            assertThat(authenticate(wire, RIGHT).sessionLifetimeMs()).isEqualTo(100_000);
            assertServed(wire);
            // Not again within a second, as in Kafka.
            assertThat(choose(wire, "PLAIN").errorCode()).isEqualTo(Errors.ILLEGAL_SASL_STATE.code());
            assertServed(wire);
        }
    }

    @Test
    void anotherUserCanNotTakeAConnectionOver() throws IOException {
        restart("connections.max.reauth.ms", "100000");
        try (Wire wire = new Wire(broker)) {
            choose(wire, "PLAIN");
            authenticate(wire, RIGHT);
            choose(wire, "PLAIN");
            assertThat(authenticate(wire, "\0bob\0word".getBytes(UTF_8)).errorMessage())
                    .isEqualTo("Cannot change principals during re-authentication from User.alice: User.bob");
            assertThat(wire.isClosedByBroker()).isTrue();
        }
    }

    @Test
    void anotherMechanismIsRefusedLater() throws IOException {
        restart("connections.max.reauth.ms", "100000");
        try (Wire wire = new Wire(broker)) {
            choose(wire, "PLAIN");
            authenticate(wire, RIGHT);
            choose(wire, "SCRAM-SHA-256");
            assertThat(authenticate(wire, "n,,n=alice,r=abc".getBytes(UTF_8)).errorMessage())
                    .isEqualTo("SASL mechanism 'SCRAM-SHA-256' requested by client is not supported for"
                            + " re-authentication of mechanism 'PLAIN'");
        }
    }

    @Test
    void aLoginThatHasExpiredServesNoRequest() throws IOException {
        restart("listener.name.sasl_plaintext.plain.connections.max.reauth.ms", "1");
        try (Wire wire = new Wire(broker)) {
            choose(wire, "PLAIN");
            assertThat(authenticate(wire, RIGHT).sessionLifetimeMs()).isEqualTo(1);
            Awaitility.await().until(() -> {
                try {
                    wire.send(ApiKeys.DESCRIBE_CLUSTER, (short) 0, new DescribeClusterRequestData());
                    return wire.isClosedByBroker();
                } catch (SocketException e) {
                    return true;
                }
            });
        }
        restart("connections.max.reauth.ms", "0");
    }
}
