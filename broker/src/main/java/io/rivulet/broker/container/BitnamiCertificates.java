package io.rivulet.broker.container;

import io.rivulet.broker.config.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Keys and certificates where Bitnami's image has them, and its variables about them. Stateless. */
final class BitnamiCertificates {
    static final String PASSWORD = "KAFKA_CERTIFICATE_PASSWORD";

    private static final String TYPE = "KAFKA_TLS_TYPE";
    private static final String CLIENT_AUTH = "KAFKA_TLS_CLIENT_AUTH";
    private static final String TRUST_STORE = "KAFKA_TLS_TRUSTSTORE_FILE";
    private static final Pattern CLIENT_AUTH_OF_LISTENER = Pattern.compile("KAFKA_TLS_(.+)_CLIENT_AUTH");

    private BitnamiCertificates() {}

    /** Replaces the variables in the environment. Does nothing else if no key store is mounted. */
    static void translate(Map<String, String> environment, Path root) {
        String type = remove(environment, TYPE, "JKS");
        String password = remove(environment, PASSWORD, "");
        // as Bitnami's default
        String clientAuth = remove(environment, CLIENT_AUTH, "required");
        String trustStore = remove(environment, TRUST_STORE, "");
        for (String name : List.copyOf(environment.keySet())) {
            Matcher ofListener = CLIENT_AUTH_OF_LISTENER.matcher(name);
            if (ofListener.matches()) {
                String listener = ofListener.group(1).replace("_", "__");
                environment.put("KAFKA_LISTENER_NAME_" + listener + "_SSL_CLIENT_AUTH", remove(environment, name, ""));
            }
        }
        if (!type.equals("JKS") && !type.equals("PEM")) {
            throw new ConfigException(TYPE, type, "JKS or PEM");
        }
        boolean isPem = type.equals("PEM");
        for (Path config : BitnamiVariables.configFolders(environment, root)) {
            Path folder = config.resolve("certs");
            Path keyStore = folder.resolve(isPem ? "kafka.keystore.pem" : "kafka.keystore.jks");
            if (Files.exists(keyStore)) {
                Path trusted = trustStore.isEmpty()
                        ? folder.resolve(isPem ? "kafka.truststore.pem" : "kafka.truststore.jks")
                        : root.resolve(trustStore);
                environment.put("KAFKA_SSL_KEYSTORE_TYPE", type);
                if (isPem) {
                    environment.put("KAFKA_SSL_KEYSTORE_CERTIFICATE_CHAIN", text(keyStore));
                    environment.put("KAFKA_SSL_KEYSTORE_KEY", text(folder.resolve("kafka.keystore.key")));
                } else {
                    environment.put("KAFKA_SSL_KEYSTORE_LOCATION", keyStore.toString());
                    environment.put("KAFKA_SSL_KEYSTORE_PASSWORD", password);
                    environment.put("KAFKA_SSL_TRUSTSTORE_PASSWORD", password);
                }
                environment.put("KAFKA_SSL_KEY_PASSWORD", password);
                trust(environment, type, trusted, clientAuth);
                return;
            }
        }
    }

    /** Without a file, every certificate of an authority that the JVM trusts would let its client in. */
    private static void trust(Map<String, String> environment, String type, Path file, String clientAuth) {
        String auth = environment.getOrDefault("KAFKA_CFG_SSL_CLIENT_AUTH", clientAuth);
        environment.putIfAbsent("KAFKA_SSL_CLIENT_AUTH", auth);
        if (Files.isReadable(file)) {
            environment.put("KAFKA_SSL_TRUSTSTORE_TYPE", type);
            environment.put("KAFKA_SSL_TRUSTSTORE_LOCATION", file.toString());
        } else if (!auth.equals("none")) {
            throw new ConfigException(
                    TRUST_STORE,
                    file.toString(),
                    "a readable file, or " + CLIENT_AUTH + "=none for clients without one");
        }
    }

    private static String remove(Map<String, String> environment, String name, String otherwise) {
        String value = environment.remove(name);
        return value == null ? otherwise : value;
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new ConfigException(TYPE, "PEM", "for a readable file " + file);
        }
    }
}
