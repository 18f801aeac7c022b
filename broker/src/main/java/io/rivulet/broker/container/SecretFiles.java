package io.rivulet.broker.container;

import io.rivulet.broker.config.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** Variables that name a file in the folder of secrets: a key store, or a file whose text is the value. Stateless. */
public final class SecretFiles {
    /** Where apache/kafka expects them. */
    public static final Path FOLDER = Path.of("/etc/kafka/secrets");

    private static final Map<String, String> STORES = Map.of(
            "KAFKA_SSL_KEYSTORE_FILENAME", "ssl.keystore.location",
            "KAFKA_SSL_TRUSTSTORE_FILENAME", "ssl.truststore.location");

    /** The first three are those of apache/kafka. */
    private static final Map<String, String> TEXTS = Map.of(
            "KAFKA_SSL_KEYSTORE_CREDENTIALS", "ssl.keystore.password",
            "KAFKA_SSL_KEY_CREDENTIALS", "ssl.key.password",
            "KAFKA_SSL_TRUSTSTORE_CREDENTIALS", "ssl.truststore.password",
            "KAFKA_SSL_KEYSTORE_KEY_FILENAME", "ssl.keystore.key",
            "KAFKA_SSL_KEYSTORE_CERTIFICATE_CHAIN_FILENAME", "ssl.keystore.certificate.chain",
            "KAFKA_RIVULET_USERS_FILENAME", "rivulet.users");

    private SecretFiles() {}

    /** The properties that follow from the variables. A text is its file without the line ends behind it. */
    public static Map<String, String> resolve(Map<String, String> environment, Path folder) {
        Map<String, String> properties = new HashMap<>();
        STORES.forEach((variable, key) -> {
            String name = environment.getOrDefault(variable, "");
            if (!name.isBlank()) {
                properties.put(key, file(variable, name, folder).toString());
            }
        });
        TEXTS.forEach((variable, key) -> {
            String name = environment.getOrDefault(variable, "");
            if (!name.isBlank()) {
                properties.put(key, text(variable, file(variable, name, folder)));
            }
        });
        return properties;
    }

    /** Whether the variable is one of these, and so no key of its own. */
    static boolean isOne(String variable) {
        return STORES.containsKey(variable) || TEXTS.containsKey(variable);
    }

    private static Path file(String variable, String name, Path folder) {
        Path file = folder.resolve(name.strip());
        if (!Files.isReadable(file) || Files.isDirectory(file)) {
            throw new ConfigException(variable, name, "the name of a readable file in " + folder);
        }
        return file;
    }

    private static String text(String variable, Path file) {
        try {
            return Files.readString(file).replaceAll("[\r\n]+$", "");
        } catch (IOException e) {
            throw new ConfigException(variable, file.getFileName().toString(), "a file with text in UTF-8");
        }
    }
}
