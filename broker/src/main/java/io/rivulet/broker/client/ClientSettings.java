package io.rivulet.broker.client;

import io.rivulet.broker.config.TlsSettings;
import io.rivulet.broker.sasl.ClientLogin;
import io.rivulet.broker.tls.ClientEncryption;
import java.io.IOException;
import java.io.Reader;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * How to reach a broker: the keys of Kafka's clients for encryption and login. Other keys have no effect. Immutable.
 *
 * @param encryption null for none
 * @param login null for none
 */
public record ClientSettings(
        @Nullable ClientEncryption encryption, @Nullable ClientLogin login) {
    /** Without encryption and login. */
    public static final ClientSettings PLAIN = new ClientSettings(null, null);

    private static final String ALLOWED = "PLAINTEXT or SSL or SASL_PLAINTEXT or SASL_SSL";

    /** Reads a file in the format of Kafka's clients, such as that of {@code --command-config}. */
    public static ClientSettings read(Path file) {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            properties.load(reader);
            return of(properties);
        } catch (NoSuchFileException e) {
            throw new ClientException("the file " + file + " does not exist");
        } catch (IOException | IllegalArgumentException e) {
            throw new ClientException(file + ": " + e.getMessage());
        }
    }

    private static ClientSettings of(Properties properties) throws IOException {
        String protocol =
                properties.getProperty("security.protocol", "PLAINTEXT").strip();
        return switch (protocol) {
            case "PLAINTEXT" -> PLAIN;
            case "SSL" -> new ClientSettings(encryption(properties), null);
            case "SASL_PLAINTEXT" -> new ClientSettings(null, login(properties));
            case "SASL_SSL" -> new ClientSettings(encryption(properties), login(properties));
            default -> throw new IOException("security.protocol is '" + protocol + "'; allowed is " + ALLOWED);
        };
    }

    private static ClientEncryption encryption(Properties properties) throws IOException {
        TlsSettings.Keys keys = new TlsSettings.Keys(
                properties.getProperty("ssl.keystore.type", "JKS").strip(),
                properties.getProperty("ssl.keystore.location", ""),
                properties.getProperty("ssl.keystore.password", ""),
                properties.getProperty("ssl.key.password", ""),
                properties.getProperty("ssl.keystore.certificate.chain", ""),
                properties.getProperty("ssl.keystore.key", ""));
        TlsSettings.Trust trust = new TlsSettings.Trust(
                properties.getProperty("ssl.truststore.type", "JKS").strip(),
                properties.getProperty("ssl.truststore.location", ""),
                properties.getProperty("ssl.truststore.password", ""),
                properties.getProperty("ssl.truststore.certificates", ""));
        boolean checksHost = !properties
                .getProperty("ssl.endpoint.identification.algorithm", "https")
                .isBlank();
        return ClientEncryption.of(keys, trust, checksHost);
    }

    private static ClientLogin login(Properties properties) throws IOException {
        return ClientLogin.of(
                properties.getProperty("sasl.mechanism", "GSSAPI").strip(),
                properties.getProperty("sasl.jaas.config", ""));
    }

    /** The connection, encrypted if that is wanted. Blocks for a handshake. */
    Socket secure(Socket connected, String host) throws IOException {
        return encryption == null ? connected : encryption.encrypt(connected, host);
    }
}
