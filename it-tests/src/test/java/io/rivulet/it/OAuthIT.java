package io.rivulet.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.rivulet.broker.config.ConfigException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.SaslAuthenticateRequestData;
import org.apache.kafka.common.message.SaslAuthenticateResponseData;
import org.apache.kafka.common.message.SaslHandshakeRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.jose4j.jwk.JsonWebKey;
import org.jose4j.jwk.JsonWebKeySet;
import org.jose4j.jwk.RsaJsonWebKey;
import org.jose4j.jwk.RsaJwkGenerator;
import org.jose4j.jws.AlgorithmIdentifiers;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.jwt.JwtClaims;
import org.jose4j.jwt.NumericDate;
import org.jose4j.keys.HmacKey;
import org.jose4j.lang.JoseException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tokens of an issuer, whose keys are behind a small HTTP server. */
@SeveralBrokers
final class OAuthIT {
    private static final String ALLOWED_URLS = "org.apache.kafka.sasl.oauthbearer.allowed.urls";
    private static final String INVALID = "{\"status\":\"invalid_token\"}";
    private static final RsaJsonWebKey KEY = key("first");

    @TempDir
    private Path directory;

    private final AtomicInteger fetches = new AtomicInteger();
    private volatile JsonWebKeySet keys = new JsonWebKeySet(KEY);
    private HttpServer issuer;
    private TestBroker broker;

    private static RsaJsonWebKey key(String id) {
        try {
            RsaJsonWebKey key = RsaJwkGenerator.generateJwk(2048);
            key.setKeyId(id);
            return key;
        } catch (JoseException e) {
            throw new AssertionError(e);
        }
    }

    @BeforeEach
    void start() throws IOException {
        issuer = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        issuer.createContext("/keys", exchange -> {
            fetches.getAndIncrement();
            byte[] body = keys.toJson(JsonWebKey.OutputControlLevel.PUBLIC_ONLY).getBytes(UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        issuer.start();
        broker = start(Map.of());
    }

    private String keysUrl() {
        return "http://127.0.0.1:" + issuer.getAddress().getPort() + "/keys";
    }

    private TestBroker start(Map<String, String> settings) throws IOException {
        Map<String, String> all = new HashMap<>(Map.of(
                "listeners", "SASL_PLAINTEXT://localhost:0",
                "sasl.enabled.mechanisms", "OAUTHBEARER",
                "connection.failed.authentication.delay.ms", "1",
                "sasl.oauthbearer.jwks.endpoint.url", keysUrl(),
                "listener.name.sasl_plaintext.oauthbearer.sasl.server.callback.handler.class",
                        "org.apache.kafka.common.security.oauthbearer.OAuthBearerValidatorCallbackHandler",
                "sasl.oauthbearer.expected.audience", "kafka,other",
                "sasl.oauthbearer.expected.issuer", "the issuer"));
        all.putAll(settings);
        return TestBroker.start(directory.resolve("data"), all);
    }

    @AfterEach
    void stop() throws IOException {
        System.clearProperty(ALLOWED_URLS);
        broker.close();
        issuer.stop(0);
    }

    // ---- tokens ----

    private static JwtClaims claims() {
        JwtClaims claims = new JwtClaims();
        claims.setSubject("alice");
        claims.setIssuer("the issuer");
        claims.setAudience("kafka");
        claims.setIssuedAtToNow();
        claims.setExpirationTimeMinutesInTheFuture(10);
        claims.setClaim("scope", "read");
        return claims;
    }

    private static String token(Consumer<JwtClaims> change) throws JoseException {
        JwtClaims claims = claims();
        change.accept(claims);
        return signed(claims, KEY, AlgorithmIdentifiers.RSA_USING_SHA256);
    }

    private static String signed(JwtClaims claims, RsaJsonWebKey with, String algorithm) throws JoseException {
        JsonWebSignature signature = new JsonWebSignature();
        signature.setPayload(claims.toJson());
        signature.setKey(with.getPrivateKey());
        signature.setKeyIdHeaderValue(with.getKeyId());
        signature.setAlgorithmHeaderValue(algorithm);
        return signature.getCompactSerialization();
    }

    private SaslAuthenticateResponseData send(Wire wire, String message) throws IOException {
        wire.ask(ApiKeys.SASL_HANDSHAKE, (short) 1, new SaslHandshakeRequestData().setMechanism("OAUTHBEARER"));
        return authenticate(wire, message.getBytes(UTF_8));
    }

    private static SaslAuthenticateResponseData authenticate(Wire wire, byte[] token) throws IOException {
        return (SaslAuthenticateResponseData)
                wire.ask(ApiKeys.SASL_AUTHENTICATE, (short) 2, new SaslAuthenticateRequestData().setAuthBytes(token));
    }

    private static String message(String token) {
        return "n,,\1auth=Bearer " + token + "\1\1";
    }

    private void assertAccepted(String token) throws IOException {
        try (Wire wire = new Wire(broker)) {
            SaslAuthenticateResponseData answer = send(wire, message(token));
            assertThat(new String(answer.authBytes(), UTF_8)).isEmpty();
            assertThat(answer.errorCode()).isZero();
            assertThat(answer.sessionLifetimeMs()).isBetween(1L, 600_000L);
        }
    }

    private void assertNotAccepted(String token) throws IOException {
        try (Wire wire = new Wire(broker)) {
            assertNotAccepted(wire, token);
            assertThat(wire.isClosedByBroker()).isTrue();
        }
    }

    private void assertNotAccepted(Wire wire, String token) throws IOException {
        SaslAuthenticateResponseData answer = send(wire, message(token));
        assertThat(answer.errorCode()).isZero();
        assertThat(new String(answer.authBytes(), UTF_8)).isEqualTo(INVALID);
        answer = authenticate(wire, new byte[] {1});
        assertThat(answer.errorCode()).isEqualTo(Errors.SASL_AUTHENTICATION_FAILED.code());
        assertThat(answer.errorMessage()).isEqualTo(INVALID);
    }

    // ---- clients ----

    @Test
    void aClientLogsInWithATokenFromAFile() throws Exception {
        Path file = directory.resolve("token");
        Files.writeString(file, token(claims -> {}));
        String url = file.toUri().toString();
        System.setProperty(ALLOWED_URLS, url);
        Map<String, Object> settings = Map.of(
                "security.protocol", "SASL_PLAINTEXT",
                "sasl.mechanism", "OAUTHBEARER",
                "sasl.oauthbearer.token.endpoint.url", url,
                "sasl.login.callback.handler.class",
                        "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginCallbackHandler",
                "sasl.jaas.config", "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required;");
        try (KafkaProducer<String, String> producer = Clients.producer(broker, settings)) {
            producer.send(new ProducerRecord<>("tokens", "value")).get();
        }
        assertThat(Clients.read(broker, new TopicPartition("tokens", 0), 1, settings))
                .hasSize(1);
        assertThat(fetches.get()).isEqualTo(1);
    }

    @Test
    void aTokenIsAcceptedOnlyIfItIsRight() throws Exception {
        assertAccepted(token(claims -> {}));
        assertAccepted(token(claims -> claims.setAudience("else", "other")));
    }

    private static long now() {
        return NumericDate.now().getValue();
    }

    @Test
    void aTokenThatIsWrongIsNotAccepted() throws Exception {
        assertNotAccepted(token(claims -> claims.setExpirationTime(NumericDate.fromSeconds(now() - 60))));
        assertNotAccepted(token(claims -> claims.setNotBefore(NumericDate.fromSeconds(now() + 600))));
        assertNotAccepted(token(claims -> claims.setAudience("another")));
        assertNotAccepted(token(claims -> claims.unsetClaim("aud")));
        assertNotAccepted(token(claims -> claims.setIssuer("another")));
        assertNotAccepted(token(claims -> claims.unsetClaim("exp")));
        assertNotAccepted(token(claims -> claims.unsetClaim("iat")));
        assertNotAccepted(token(claims -> claims.unsetClaim("sub")));
        assertNotAccepted(token(claims -> claims.setSubject(" ")));
        assertNotAccepted(token(claims -> claims.setClaim("scope", "")));
        assertNotAccepted(token(claims -> {}) + "x");
        assertNotAccepted("a.b.c");
        assertNotAccepted("secret");
        assertNotAccepted(signed(claims(), key("first"), AlgorithmIdentifiers.RSA_USING_SHA256));
        assertAccepted(token(claims -> {}));
    }

    @Test
    void aTokenWithoutASignatureOrWithThePublicKeyAsSecretIsNotAccepted() throws Exception {
        String none = Base64.getUrlEncoder().withoutPadding().encodeToString("{\"alg\":\"none\"}".getBytes(UTF_8));
        String payload = Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(claims().toJson().getBytes(UTF_8));
        assertNotAccepted(none + "." + payload + ".");

        JsonWebSignature signature = new JsonWebSignature();
        signature.setPayload(claims().toJson());
        signature.setKey(new HmacKey(KEY.getPublicKey().getEncoded()));
        signature.setKeyIdHeaderValue(KEY.getKeyId());
        signature.setAlgorithmHeaderValue(AlgorithmIdentifiers.HMAC_SHA256);
        assertNotAccepted(signature.getCompactSerialization());
    }

    @Test
    void hugeTokensAndOtherTextAreRefused() throws Exception {
        for (String text : new String[] {
            message("a".repeat(100_000)),
            message(""),
            "n,,",
            "",
            "\1",
            "n,,\1auth=Basic abc\1\1",
            "n,,\1auth=Bearer a\1",
        }) {
            try (Wire wire = new Wire(broker)) {
                assertThat(send(wire, text).errorCode()).isEqualTo(Errors.SASL_AUTHENTICATION_FAILED.code());
                assertThat(wire.isClosedByBroker()).isTrue();
            }
        }
        try (Wire wire = new Wire(broker)) {
            String other = message(token(claims -> {})).replace("n,,", "n,a=bob,");
            assertThat(send(wire, other).errorMessage()).contains("authorization id");
        }
        try (Wire wire = new Wire(broker)) {
            String same =
                    message(token(claims -> {})).replace("n,,", "n,a=alice,").replace("\1\1", "\1x=y\1\1");
            assertThat(send(wire, same).errorCode()).isZero();
        }
    }

    // ---- keys ----

    @Test
    void anUnknownKeyIsAskedForOnceInAWhile() throws Exception {
        RsaJsonWebKey next = key("next");
        assertAccepted(token(claims -> {}));
        keys = new JsonWebKeySet(next);
        for (int i = 0; i < 20; i++) {
            try (Wire wire = new Wire(broker)) {
                assertNotAccepted(wire, signed(claims(), next, AlgorithmIdentifiers.RSA_USING_SHA256));
            }
        }
        assertAccepted(token(claims -> {}));
        assertThat(fetches.get()).isEqualTo(1);
    }

    @Test
    void newKeysAreFetchedWhenTheOldOnesAreOld() throws Exception {
        broker.close();
        broker = start(Map.of("sasl.oauthbearer.jwks.endpoint.refresh.ms", "0"));
        RsaJsonWebKey next = key("next");
        assertAccepted(token(claims -> {}));
        keys = new JsonWebKeySet(next);
        assertAccepted(signed(claims(), next, AlgorithmIdentifiers.RSA_USING_SHA256));
        assertNotAccepted(token(claims -> {}));
        // The old keys count while the issuer is down.
        issuer.stop(0);
        assertAccepted(signed(claims(), next, AlgorithmIdentifiers.RSA_USING_SHA256));
    }

    @Test
    void keysMayBeInAFile() throws Exception {
        broker.close();
        Path file = directory.resolve("keys.json");
        Files.writeString(file, keys.toJson());
        broker = start(Map.of(
                "sasl.oauthbearer.jwks.endpoint.url",
                file.toUri().toString(),
                "sasl.oauthbearer.sub.claim.name",
                "email"));
        assertAccepted(token(claims -> claims.setClaim("email", "alice@example.org")));
        assertNotAccepted(token(claims -> {}));
    }

    @Test
    void withoutKeysThereIsNoBroker() {
        assertThatThrownBy(() -> start(Map.of("sasl.oauthbearer.jwks.endpoint.url", "")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("tokens without a signature are not accepted");
        System.setProperty(ALLOWED_URLS, "http://elsewhere/keys");
        assertThatThrownBy(() -> start(Map.of()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(ALLOWED_URLS);
    }
}
