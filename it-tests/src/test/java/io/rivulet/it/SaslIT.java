package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rivulet.broker.EmbeddedBroker;
import io.rivulet.broker.config.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialDeletion;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.UnsupportedSaslMechanismException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Kafka's own clients log in. */
@SeveralBrokers
final class SaslIT {
    private static final String PLAIN_MODULE = "org.apache.kafka.common.security.plain.PlainLoginModule";
    private static final String SCRAM_MODULE = "org.apache.kafka.common.security.scram.ScramLoginModule";
    private static final TopicPartition PARTITION = new TopicPartition("known", 0);

    @TempDir
    private Path directory;

    private TestBroker broker(String... settings) throws IOException {
        return broker(Map.of("listeners", "SASL_PLAINTEXT://localhost:0"), settings);
    }

    private TestBroker broker(Map<String, String> listeners, String... settings) throws IOException {
        Map<String, String> all = new HashMap<>(listeners);
        for (int i = 0; i < settings.length; i += 2) {
            all.put(settings[i], settings[i + 1]);
        }
        return TestBroker.start(directory.resolve("data"), all);
    }

    static Map<String, Object> as(String mechanism, String user, String password) {
        String module = mechanism.equals("PLAIN") ? PLAIN_MODULE : SCRAM_MODULE;
        return Map.of(
                "security.protocol",
                "SASL_PLAINTEXT",
                "sasl.mechanism",
                mechanism,
                "sasl.jaas.config",
                module + " required username=\"" + user + "\" password=\"" + password + "\";");
    }

    /** Writes a record and reads it. */
    private static void assertServes(TestBroker broker, Map<String, Object> settings) throws Exception {
        try (KafkaProducer<String, String> producer = Clients.producer(broker, settings)) {
            producer.send(new ProducerRecord<>(PARTITION.topic(), "value")).get();
        }
        assertThat(Clients.read(broker, PARTITION, 1, settings).get(0).value()).isEqualTo("value");
    }

    private static void assertRefuses(TestBroker broker, Map<String, Object> settings, Class<? extends Exception> why) {
        try (KafkaProducer<String, String> producer = Clients.producer(broker, settings)) {
            assertThatThrownBy(() -> producer.send(new ProducerRecord<>(PARTITION.topic(), "value"))
                            .get())
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(why);
        }
    }

    private static void assertRefuses(TestBroker broker, Map<String, Object> settings) {
        assertRefuses(broker, settings, SaslAuthenticationException.class);
    }

    // ---- users of the configuration ----

    @ParameterizedTest
    @ValueSource(strings = {"PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"})
    void aUserOfTheConfigurationLogsInWithEachMechanism(String mechanism) throws Exception {
        try (TestBroker broker = broker("rivulet.users", "alice:secret,bob:wo=rd:x")) {
            assertServes(broker, as(mechanism, "alice", "secret"));
            assertServes(broker, as(mechanism, "bob", "wo=rd:x"));
            assertRefuses(broker, as(mechanism, "alice", "wrong"));
            assertRefuses(broker, as(mechanism, "unknown", "secret"));
        }
    }

    @Test
    void aPasswordOfTheConfigurationIsNowhereInTheDataDirectory() throws Exception {
        try (TestBroker broker = broker("rivulet.users", "alice:a-password-of-hers")) {
            assertServes(broker, as("SCRAM-SHA-256", "alice", "a-password-of-hers"));
        }
        List<Path> files = new ArrayList<>();
        try (var below = Files.walk(directory)) {
            below.filter(Files::isRegularFile).forEach(files::add);
        }
        assertThat(files)
                .isNotEmpty()
                .allSatisfy(file -> assertThat(Files.readAllBytes(file))
                        .satisfies(bytes -> assertThat(new String(bytes, java.nio.charset.StandardCharsets.ISO_8859_1))
                                .doesNotContain("a-password-of-hers")));
    }

    @Test
    void usersOfPlainAreInTheKeyOfTheListener() throws Exception {
        try (TestBroker broker = broker(
                "sasl.enabled.mechanisms",
                "PLAIN",
                "listener.name.sasl_plaintext.plain.sasl.jaas.config",
                PLAIN_MODULE + " required\n  username=\"broker\" password=\"b\"\n  user_alice=\"se;cr\\\"et\";")) {
            assertServes(broker, as("PLAIN", "alice", "se;cr\\\"et"));
            assertRefuses(broker, as("PLAIN", "broker", "b"));
            assertRefuses(broker, as("SCRAM-SHA-256", "alice", "x"), UnsupportedSaslMechanismException.class);
        }
    }

    @Test
    void eachListenerHasItsOwnMechanisms() throws Exception {
        try (TestBroker broker = broker(
                Map.of(
                        "listeners", "OUTSIDE://localhost:0,INSIDE://localhost:0",
                        "listener.security.protocol.map", "OUTSIDE:SASL_PLAINTEXT,INSIDE:PLAINTEXT"),
                "rivulet.users",
                "alice:secret",
                "listener.name.outside.sasl.enabled.mechanisms",
                "SCRAM-SHA-512")) {
            assertServes(broker, as("SCRAM-SHA-512", "alice", "secret"));
            assertRefuses(broker, as("PLAIN", "alice", "secret"), UnsupportedSaslMechanismException.class);
            try (Admin admin =
                    Clients.admin("localhost:" + broker.addresses().get(1).getPort())) {
                assertThat(admin.describeCluster().nodes().get()).hasSize(TestBroker.COUNT);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "sasl.enabled.mechanisms,GSSAPI,sasl.enabled.mechanisms",
        "sasl.enabled.mechanisms,PLAIN,listener.name.sasl_plaintext.plain.sasl.jaas.config",
        "rivulet.users,alice,rivulet.users",
        "rivulet.users,alice:,rivulet.users",
        "sasl.server.callback.handler.class,my.own.Handler,sasl.server.callback.handler.class",
    })
    void aConfigurationThatLetsNoClientInStopsTheStart(String key, String value, String named) {
        assertThatThrownBy(() -> broker(key, value).close())
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(named);
    }

    @Test
    void keysForConnectionsBetweenBrokersAreAccepted() throws Exception {
        try (TestBroker broker = broker(
                "rivulet.users", "alice:secret",
                "sasl.mechanism.inter.broker.protocol", "PLAIN",
                "security.inter.broker.protocol", "SASL_PLAINTEXT",
                "sasl.kerberos.service.name", "kafka",
                "sasl.jaas.config", "without effect, as in Kafka")) {
            assertServes(broker, as("PLAIN", "alice", "secret"));
        }
    }

    @Test
    @OneBroker("an embedded broker is one")
    void anEmbeddedBrokerHasUsers() throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.inMemoryOrTemp()
                        .withUser("alice", "secret")
                        .start();
                KafkaProducer<String, String> producer =
                        Clients.producer(broker.bootstrapServers(), as("SCRAM-SHA-256", "alice", "secret"))) {
            assertThat(producer.send(new ProducerRecord<>("t", "value")).get().offset())
                    .isZero();
        }
    }

    // ---- encrypted ----

    @Test
    @OneBroker("each broker of a cluster would make a certificate of its own")
    void loginsAreEncrypted() throws Exception {
        Map<String, String> settings = Map.of("listeners", "SASL_SSL://localhost:0", "rivulet.tls", "self-signed");
        // Without a key for the listener itself, clients show no certificate, as in Kafka.
        try (TestBroker broker = broker(settings, "rivulet.users", "alice:secret", "ssl.client.auth", "required")) {
            Map<String, Object> client = new HashMap<>(as("SCRAM-SHA-512", "alice", "secret"));
            client.put("security.protocol", "SASL_SSL");
            client.put("ssl.truststore.type", "PEM");
            client.put(
                    "ssl.truststore.location",
                    directory.resolve("data/tls/certificate.pem").toString());
            assertServes(broker, client);
            client.putAll(as("SCRAM-SHA-512", "alice", "wrong"));
            client.put("security.protocol", "SASL_SSL");
            assertRefuses(broker, client);
        }
    }

    // ---- users in the log ----

    private static Admin admin(TestBroker broker, Map<String, Object> settings) {
        Map<String, Object> all = new HashMap<>(settings);
        all.put("bootstrap.servers", broker.bootstrapServers());
        return Admin.create(all);
    }

    private static UserScramCredentialUpsertion password(String user, ScramMechanism mechanism, String password) {
        return new UserScramCredentialUpsertion(user, new ScramCredentialInfo(mechanism, 4096), password);
    }

    @Test
    void usersThatAdminsMakeOutliveARestart() throws Exception {
        ScramMechanism sha256 = ScramMechanism.SCRAM_SHA_256;
        ScramMechanism sha512 = ScramMechanism.SCRAM_SHA_512;
        Map<String, Object> root = as("SCRAM-SHA-256", "root", "r");
        try (TestBroker broker = broker("rivulet.users", "root:r");
                Admin admin = admin(broker, root)) {
            admin.alterUserScramCredentials(List.of(
                            password("alice", sha256, "first"),
                            password("käthe", sha512, "pässword"),
                            password("bob", sha256, "b")))
                    .all()
                    .get();
            admin.alterUserScramCredentials(List.of(password("alice", sha256, "second")))
                    .all()
                    .get();
            admin.alterUserScramCredentials(List.of(new UserScramCredentialDeletion("bob", sha256)))
                    .all()
                    .get();
            assertThat(admin.describeUserScramCredentials().all().get().keySet())
                    .containsExactlyInAnyOrder("root", "alice", "käthe");
            assertServes(broker, as("SCRAM-SHA-256", "alice", "second"));
        }
        try (TestBroker broker = broker("rivulet.users", "root:r");
                Admin admin = admin(broker, root)) {
            assertServes(broker, as("SCRAM-SHA-256", "alice", "second"));
            assertRefuses(broker, as("SCRAM-SHA-256", "alice", "first"));
            assertRefuses(broker, as("SCRAM-SHA-256", "bob", "b"));
            assertRefuses(broker, as("SCRAM-SHA-512", "alice", "second"));
            assertThat(admin.describeUserScramCredentials().all().get().keySet())
                    .containsExactlyInAnyOrder("root", "alice", "käthe");
        }
    }

    @Test
    void aStartAddsUsersThatAreNotThere() throws Exception {
        String first = "SCRAM-SHA-256=[name=alice,password=first];SCRAM-SHA-512=[name=bob,password=b,iterations=8192]";
        String mechanisms = "SCRAM-SHA-256,SCRAM-SHA-512";
        try (TestBroker broker = broker("rivulet.add.scram", first, "sasl.enabled.mechanisms", mechanisms)) {
            assertServes(broker, as("SCRAM-SHA-256", "alice", "first"));
            assertServes(broker, as("SCRAM-SHA-512", "bob", "b"));
        }
        String second = first.replace("first", "second");
        try (TestBroker broker = broker("rivulet.add.scram", second, "sasl.enabled.mechanisms", mechanisms)) {
            assertServes(broker, as("SCRAM-SHA-256", "alice", "first"));
            assertRefuses(broker, as("SCRAM-SHA-256", "alice", "second"));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "alice:secret",
                "PLAIN=[name=alice,password=secret]",
                "SCRAM-SHA-256=[name=alice]",
                "SCRAM-SHA-256=[password=secret]",
                "SCRAM-SHA-256=[name=alice,password=secret,iterations=100]",
                "SCRAM-SHA-256=[name=alice,saltedpassword=c2VjcmV0]",
                "SCRAM-SHA-256=[name=alice,password=secret",
            })
    void usersToAddThatCanNotBeReadStopTheStart(String users) {
        assertThatThrownBy(() -> broker("rivulet.add.scram", users, "rivulet.users", "a:b")
                        .close())
                .isInstanceOf(ConfigException.class)
                .hasMessageNotContaining("secret]");
    }

    @Test
    void aUserOfTheConfigurationDoesNotChange() throws Exception {
        try (TestBroker broker = broker("rivulet.users", "root:r");
                Admin admin = admin(broker, as("PLAIN", "root", "r"))) {
            assertThatThrownBy(() -> admin.alterUserScramCredentials(
                                    List.of(password("root", ScramMechanism.SCRAM_SHA_256, "x")))
                            .all()
                            .get())
                    .hasMessageContaining("rivulet.users");
        }
    }
}
