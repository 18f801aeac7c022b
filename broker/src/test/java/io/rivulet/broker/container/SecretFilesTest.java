package io.rivulet.broker.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rivulet.broker.config.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The variables of apache/kafka for keys and passwords. */
final class SecretFilesTest {
    @TempDir
    private Path folder;

    /** As in the example docker/examples/docker-compose-files/single-node/ssl of apache/kafka. */
    private final Map<String, String> variables = new HashMap<>(Map.of(
            "KAFKA_SSL_KEYSTORE_FILENAME", "kafka01.keystore.jks",
            "KAFKA_SSL_KEYSTORE_CREDENTIALS", "kafka_keystore_creds",
            "KAFKA_SSL_KEY_CREDENTIALS", "kafka_ssl_key_creds",
            "KAFKA_SSL_TRUSTSTORE_FILENAME", "kafka.truststore.jks",
            "KAFKA_SSL_TRUSTSTORE_CREDENTIALS", "kafka_truststore_creds"));

    private void write(String name, String text) throws IOException {
        Files.writeString(folder.resolve(name), text);
    }

    @Test
    void filesAreFoundInTheFolderOfSecrets() throws IOException {
        write("kafka01.keystore.jks", "");
        write("kafka_keystore_creds", "store secret\n");
        write("kafka_ssl_key_creds", "key secret\r\n\n");
        write("kafka.truststore.jks", "");
        write("kafka_truststore_creds", " trust secret ");

        assertThat(SecretFiles.resolve(variables, folder))
                .containsOnly(
                        Map.entry(
                                "ssl.keystore.location",
                                folder.resolve("kafka01.keystore.jks").toString()),
                        Map.entry("ssl.keystore.password", "store secret"),
                        Map.entry("ssl.key.password", "key secret"),
                        Map.entry(
                                "ssl.truststore.location",
                                folder.resolve("kafka.truststore.jks").toString()),
                        Map.entry("ssl.truststore.password", " trust secret "));
    }

    @ParameterizedTest
    @CsvSource({
        "KAFKA_SSL_KEYSTORE_KEY_FILENAME, ssl.keystore.key",
        "KAFKA_SSL_KEYSTORE_CERTIFICATE_CHAIN_FILENAME, ssl.keystore.certificate.chain",
        "KAFKA_RIVULET_USERS_FILENAME, rivulet.users",
    })
    void theTextOfAFileIsTheValue(String variable, String key) throws IOException {
        write("file", "first\nsecond\n");

        assertThat(SecretFiles.resolve(Map.of(variable, "file"), folder)).containsOnly(Map.entry(key, "first\nsecond"));
        assertThat(ContainerProperties.resolve(Map.of(variable, "file"), Map.of(), 1 << 20))
                .doesNotContainValue("file");
    }

    @ParameterizedTest
    @ValueSource(strings = {"KAFKA_SSL_KEYSTORE_FILENAME", "KAFKA_SSL_KEY_CREDENTIALS", "KAFKA_RIVULET_USERS_FILENAME"})
    void aFileThatIsMissingStopsTheStart(String variable) {
        assertThatThrownBy(() -> SecretFiles.resolve(Map.of(variable, "missing"), folder))
                .isInstanceOf(ConfigException.class)
                .hasMessage(variable + " is 'missing'; allowed is the name of a readable file in " + folder);
    }

    @Test
    void noVariableIsAKeyOfItsOwn() {
        assertThat(ContainerProperties.resolve(variables, Map.of(), 1 << 20).keySet())
                .noneMatch(key -> key.startsWith("ssl."));
    }

    @Test
    void anEmptyVariableIsIgnored() {
        assertThat(SecretFiles.resolve(Map.of("KAFKA_SSL_KEYSTORE_FILENAME", " "), folder))
                .isEmpty();
    }
}
