package io.rivulet.broker.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rivulet.broker.config.BrokerConfig;
import io.rivulet.broker.config.ConfigException;
import io.rivulet.broker.config.Listener;
import io.rivulet.broker.config.TlsSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class BitnamiVariablesTest {
    private static final String TWO_LISTENERS = "CLIENT:%s,EXTERNAL:PLAINTEXT";

    @TempDir
    private Path root;

    private BitnamiVariables translate(String... namesAndValues) {
        Map<String, String> variables = new HashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            variables.put(namesAndValues[i], namesAndValues[i + 1]);
        }
        return BitnamiVariables.translate(variables, root);
    }

    private Map<String, String> properties(String... namesAndValues) {
        BitnamiVariables translated = translate(namesAndValues);
        return ContainerProperties.resolve(translated.environment(), Map.of(), 256 << 20);
    }

    private Path write(String file, String text) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        return Files.writeString(path, text);
    }

    // ---- keys ----

    @ParameterizedTest
    @CsvSource({
        "KAFKA_CFG_NUM_PARTITIONS, num.partitions",
        "KAFKA_CFG_RIVULET_DURABILITY, rivulet.durability",
        "KAFKA_CFG_LISTENER_NAME_SASL_SSL_SSL_CLIENT_AUTH, listener.name.sasl_ssl.ssl.client.auth",
        "KAFKA_CFG_LISTENER_NAME_CLIENT_SSL_CLIENT_AUTH, listener.name.client.ssl.client.auth",
        "KAFKA_TLS_EXTERNAL_CLIENT_AUTH, listener.name.external.ssl.client.auth",
        "KAFKA_TLS_SASL_SSL_CLIENT_AUTH, listener.name.sasl_ssl.ssl.client.auth",
    })
    void aVariableIsAKey(String variable, String key) {
        assertThat(properties(variable, "value")).containsEntry(key, "value");
    }

    @Test
    void theVariableWithoutThePrefixWins() {
        assertThat(properties("KAFKA_CFG_NUM_PARTITIONS", "1", "KAFKA_NUM_PARTITIONS", "2"))
                .containsEntry("num.partitions", "2");
    }

    @Test
    void anEmptyVariableIsNone() {
        assertThat(properties("KAFKA_CFG_NUM_PARTITIONS", "1", "KAFKA_NUM_PARTITIONS", " "))
                .containsEntry("num.partitions", "1");
    }

    /** As in the compose file of its documentation. */
    @Test
    void itsSingleNodeStarts() {
        BitnamiVariables translated = translate(
                "KAFKA_ENABLE_KRAFT", "yes",
                "KAFKA_KRAFT_CLUSTER_ID", "abcdefghijklmnopqrstuv",
                "BITNAMI_DEBUG", "true",
                "ALLOW_PLAINTEXT_LISTENER", "yes",
                "KAFKA_CFG_NODE_ID", "0",
                "KAFKA_CFG_PROCESS_ROLES", "controller,broker",
                "KAFKA_CFG_CONTROLLER_QUORUM_VOTERS", "0@kafka:9093",
                "KAFKA_CFG_LISTENERS", "PLAINTEXT://:9092,CONTROLLER://:9093,EXTERNAL://:9094",
                "KAFKA_CFG_ADVERTISED_LISTENERS", "PLAINTEXT://kafka:9092,EXTERNAL://localhost:9094",
                "KAFKA_CFG_LISTENER_SECURITY_PROTOCOL_MAP",
                        "CONTROLLER:PLAINTEXT,EXTERNAL:PLAINTEXT,PLAINTEXT:PLAINTEXT",
                "KAFKA_CFG_CONTROLLER_LISTENER_NAMES", "CONTROLLER");
        BrokerConfig config = BrokerConfig.of(ContainerProperties.resolve(translated.environment(), Map.of(), 1 << 28));

        assertThat(config.nodeId()).isZero();
        assertThat(config.listeners()).extracting(Listener::name).containsExactly("PLAINTEXT", "EXTERNAL");
        assertThat(translated.withoutEffect()).isEmpty();
        assertThat(config.values().unknownKeys()).containsExactly("controller.quorum.voters", "process.roles");
        assertThatCode(() -> BitnamiVariables.requireAllowed(config, translated.environment()))
                .doesNotThrowAnyException();
    }

    @Test
    void whatAsksForOtherBrokersIsNamed() {
        BitnamiVariables translated = translate(
                "KAFKA_INTER_BROKER_USER", "admin",
                "KAFKA_INTER_BROKER_PASSWORD_FILE", "/secret",
                "KAFKA_ZOOKEEPER_PROTOCOL", "SASL",
                "KAFKA_NODE_ID_COMMAND", "hostname");

        assertThat(translated.withoutEffect())
                .containsExactlyInAnyOrder(
                        "KAFKA_INTER_BROKER_USER",
                        "KAFKA_INTER_BROKER_PASSWORD_FILE",
                        "KAFKA_ZOOKEEPER_PROTOCOL",
                        "KAFKA_NODE_ID_COMMAND");
        assertThat(translated.environment()).isEmpty();
    }

    // ---- who may enter ----

    @ParameterizedTest
    @ValueSource(strings = {"no", "false", "No"})
    void aPlaintextListenerThatIsNotAllowedStopsTheStart(String value) {
        Map<String, String> variables = Map.of("ALLOW_PLAINTEXT_LISTENER", value);
        BrokerConfig config = BrokerConfig.of(ContainerProperties.resolve(variables, Map.of(), 1 << 28));

        assertThatThrownBy(() -> BitnamiVariables.requireAllowed(config, variables))
                .isInstanceOf(ConfigException.class)
                .hasMessage("ALLOW_PLAINTEXT_LISTENER is '" + value
                        + "'; allowed is yes, because the listener PLAINTEXT has the protocol PLAINTEXT");
    }

    @ParameterizedTest
    @CsvSource({"'alice,bob', 'secret,word'", "'alice;bob', 'secret;word'", "'alice, bob,', 'secret , word'"})
    void usersHaveTheirPasswords(String users, String passwords) {
        assertThat(properties("KAFKA_CLIENT_USERS", users, "KAFKA_CLIENT_PASSWORDS", passwords))
                .containsEntry("rivulet.users", "alice:secret,bob:word")
                .doesNotContainKeys("client.users", "client.passwords");
    }

    @Test
    void aPasswordAloneIsThatOfUser() {
        assertThat(properties("KAFKA_CLIENT_PASSWORDS", "secret")).containsEntry("rivulet.users", "user:secret");
    }

    @ParameterizedTest
    @CsvSource({"'alice,bob', secret, 2, 1", "alice, '', 1, 0", "alice, 'a,b', 1, 2"})
    void usersWithoutTheirPasswordsStopTheStart(String users, String passwords, int names, int secrets) {
        assertThatThrownBy(() -> translate("KAFKA_CLIENT_USERS", users, "KAFKA_CLIENT_PASSWORDS", passwords))
                .isInstanceOf(ConfigException.class)
                .hasMessage("KAFKA_CLIENT_PASSWORDS is '...'; allowed is a password for each name in"
                        + " KAFKA_CLIENT_USERS, which has " + names + "; here are " + secrets);
    }

    @Test
    void usersInTwoPlacesStopTheStart() {
        assertThatThrownBy(() -> translate(
                        "KAFKA_CLIENT_USERS", "a", "KAFKA_CLIENT_PASSWORDS", "b", "KAFKA_RIVULET_USERS", "c:d"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("KAFKA_RIVULET_USERS has the users");
    }

    @Test
    void secretsMayBeInFiles() throws IOException {
        Path users = write("users", "alice,bob\n");
        Path passwords = write("passwords", "secret,word\r\n");

        assertThat(properties(
                        "KAFKA_CLIENT_USERS_FILE", users.toString(),
                        "KAFKA_CLIENT_PASSWORDS_FILE", passwords.toString()))
                .containsEntry("rivulet.users", "alice:secret,bob:word");
    }

    @Test
    void aSecretThatCannotBeReadStopsTheStart() {
        assertThatThrownBy(() -> translate("KAFKA_CLIENT_PASSWORDS_FILE", root + "/missing"))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("KAFKA_CLIENT_PASSWORDS_FILE is '" + root + "/missing'; allowed is the name");
    }

    // ---- certificates ----

    @ParameterizedTest
    @ValueSource(strings = {"bitnami/kafka/config/certs/", "opt/bitnami/kafka/config/certs/"})
    void keyStoresAreFoundInItsFolders(String folder) throws IOException {
        Path keys = write(folder + "kafka.keystore.jks", "");
        Path trusted = write(folder + "kafka.truststore.jks", "");

        assertThat(properties("KAFKA_CERTIFICATE_PASSWORD", "secret"))
                .containsEntry("ssl.keystore.type", "JKS")
                .containsEntry("ssl.keystore.location", keys.toString())
                .containsEntry("ssl.keystore.password", "secret")
                .containsEntry("ssl.key.password", "secret")
                .containsEntry("ssl.truststore.location", trusted.toString())
                .containsEntry("ssl.truststore.password", "secret")
                .containsEntry("ssl.client.auth", "required")
                .doesNotContainKeys("certificate.password", "tls.type");
    }

    @Test
    void pemIsText() throws IOException {
        write("bitnami/kafka/config/certs/kafka.keystore.pem", "chain");
        write("bitnami/kafka/config/certs/kafka.keystore.key", "key");
        Path trusted = write("elsewhere/ca.pem", "");

        Map<String, String> properties = properties(
                "KAFKA_TLS_TYPE", "PEM",
                "KAFKA_TLS_TRUSTSTORE_FILE", trusted.toString(),
                "KAFKA_TLS_CLIENT_AUTH", "requested",
                "KAFKA_CFG_LISTENERS", "CLIENT://:9092",
                "KAFKA_CFG_LISTENER_SECURITY_PROTOCOL_MAP", TWO_LISTENERS.formatted("SSL"));
        TlsSettings tls = Objects.requireNonNull(
                BrokerConfig.of(properties).listeners().get(0).tls());

        assertThat(tls.keys()).isEqualTo(new TlsSettings.Keys("PEM", "", "", "", "chain", "key"));
        assertThat(tls.trust().location()).isEqualTo(trusted.toString());
        assertThat(tls.clientAuth()).isEqualTo(TlsSettings.ClientAuth.REQUESTED);
    }

    /** Otherwise a client with any certificate that the JVM trusts could enter. */
    @Test
    void clientsWithCertificatesNeedATrustStore() throws IOException {
        write("bitnami/kafka/config/certs/kafka.keystore.jks", "");

        assertThatThrownBy(this::translate)
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("kafka.truststore.jks")
                .hasMessageContaining("KAFKA_TLS_CLIENT_AUTH=none");
        assertThat(properties("KAFKA_TLS_CLIENT_AUTH", "none")).containsEntry("ssl.client.auth", "none");
    }

    @Test
    void anUnknownTypeStopsTheStart() {
        assertThatThrownBy(() -> translate("KAFKA_TLS_TYPE", "PKCS12"))
                .isInstanceOf(ConfigException.class)
                .hasMessage("KAFKA_TLS_TYPE is 'PKCS12'; allowed is JKS or PEM");
    }

    // ---- files and volumes ----

    @Test
    void itsMountedFileIsFound() throws IOException {
        assertThat(BitnamiVariables.mountedFile(Map.of(), root)).isNull();
        Path second = write("opt/bitnami/kafka/config/server.properties", "");
        assertThat(BitnamiVariables.mountedFile(Map.of(), root)).isEqualTo(second);
        Path first = write("bitnami/kafka/config/server.properties", "");
        assertThat(BitnamiVariables.mountedFile(Map.of(), root)).isEqualTo(first);
        Path named = write("conf/server.properties", "");
        assertThat(BitnamiVariables.mountedFile(Map.of("KAFKA_MOUNTED_CONF_DIR", root + "/conf"), root))
                .isEqualTo(named);
    }

    @ParameterizedTest
    @CsvSource({
        "/bitnami/kafka, /bitnami/kafka/data",
        "/bitnami, /bitnami/kafka/data",
        "/bitnami/kafka/data, /bitnami/kafka/data",
        "/bitnami/kafka/config/server.properties,",
        "/var/lib/kafka/data,",
    })
    void recordsAreInTheVolumeThatIsMounted(String mount, String data) throws IOException {
        Path mounts = Files.write(
                root.resolve("mountinfo"),
                List.of(
                        "643 575 0:58 / / ro,relatime - overlay overlay rw,lowerdir=/a",
                        "652 643 259:3 /volumes/v " + mount + " rw,relatime - ext4 /dev/root rw"));

        assertThat(BitnamiVariables.dataDirectory(mounts)).isEqualTo(data);
    }

    @Test
    void withoutMountsThereIsNoVolume() {
        assertThat(BitnamiVariables.dataDirectory(root.resolve("missing"))).isNull();
    }
}
