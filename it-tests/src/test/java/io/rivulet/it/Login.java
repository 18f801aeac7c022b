package io.rivulet.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/**
 * How a client of a test logs in, in the words of each library. Immutable.
 *
 * @param environment for programs in other languages; its variables are those of {@link ClientProgram}
 */
record Login(Map<String, String> environment) {
    static final String STORE_PASSWORD = "of the store";

    /** With encryption only. */
    static Login none(Path trusted) {
        return new Login(Map.of("CLIENT_CA", trusted.toString()));
    }

    /** With a certificate of its own. The file has the key, too; for Java, a file .p12 beside it has both. */
    static Login certificate(Path trusted, Path own) {
        return none(trusted).and(Map.of("CLIENT_CERTIFICATE", own.toString()));
    }

    static Login password(Path trusted, String mechanism, String user, String password) {
        return none(trusted)
                .and(Map.of("CLIENT_MECHANISM", mechanism, "CLIENT_USER", user, "CLIENT_PASSWORD", password));
    }

    /** With tokens that an identity provider gives to this user. */
    static Login tokens(Path trusted, String url, String user, String scope) {
        return password(trusted, "OAUTHBEARER", user, "a-secret")
                .and(Map.of("CLIENT_TOKENS", url, "CLIENT_SCOPE", scope));
    }

    /** Gives up after this time, if the library would try longer; kafka-python only. */
    Login withPatience(int millis) {
        return and(Map.of("CLIENT_PATIENCE_MS", String.valueOf(millis)));
    }

    private Login and(Map<String, String> more) {
        Map<String, String> all = new HashMap<>(environment);
        all.putAll(more);
        return new Login(Map.copyOf(all));
    }

    private boolean has(String variable) {
        return environment.containsKey(variable);
    }

    private String get(String variable) {
        return environment.getOrDefault(variable, "");
    }

    private String protocol() {
        return has("CLIENT_MECHANISM") ? "SASL_SSL" : "SSL";
    }

    /** For Java clients. */
    Map<String, Object> settings() {
        Map<String, Object> all = new HashMap<>();
        all.put("security.protocol", protocol());
        all.put("ssl.truststore.type", "PEM");
        all.put("ssl.truststore.location", get("CLIENT_CA"));
        if (has("CLIENT_CERTIFICATE")) {
            // version 2.8 reads a key in PEM only if it is encrypted
            all.put("ssl.keystore.type", "PKCS12");
            all.put("ssl.keystore.location", get("CLIENT_CERTIFICATE").replace(".pem", ".p12"));
            all.put("ssl.keystore.password", STORE_PASSWORD);
            all.put("ssl.key.password", STORE_PASSWORD);
        }
        if (has("CLIENT_MECHANISM")) {
            all.put("sasl.mechanism", get("CLIENT_MECHANISM"));
            all.put("sasl.jaas.config", jaas());
        }
        if (has("CLIENT_TOKENS")) {
            all.put("sasl.oauthbearer.token.endpoint.url", get("CLIENT_TOKENS"));
            all.put(
                    "sasl.login.callback.handler.class",
                    "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginCallbackHandler");
        }
        return all;
    }

    private String jaas() {
        String options = has("CLIENT_TOKENS")
                ? "oauthbearer.OAuthBearerLoginModule required clientId=\"%s\" clientSecret=\"%s\" scope=\"%s\";"
                : "scram.ScramLoginModule required username=\"%s\" password=\"%s\";";
        return "org.apache.kafka.common.security."
                + options.formatted(get("CLIENT_USER"), get("CLIENT_PASSWORD"), get("CLIENT_SCOPE"));
    }

    /** The same in a file, for Java clients in their own process. */
    Path settingsIn(Path file) throws IOException {
        Properties all = new Properties();
        all.putAll(settings());
        try (var out = Files.newBufferedWriter(file)) {
            all.store(out, null);
        }
        return file;
    }

    /** For kcat. */
    List<String> options() {
        Map<String, String> all = new HashMap<>();
        all.put("security.protocol", protocol());
        all.put("ssl.ca.location", get("CLIENT_CA"));
        if (has("CLIENT_CERTIFICATE")) {
            all.put("ssl.certificate.location", get("CLIENT_CERTIFICATE"));
            all.put("ssl.key.location", get("CLIENT_CERTIFICATE"));
        }
        if (has("CLIENT_MECHANISM")) {
            all.put("sasl.mechanism", get("CLIENT_MECHANISM"));
            all.put("sasl.username", get("CLIENT_USER"));
            all.put("sasl.password", get("CLIENT_PASSWORD"));
        }
        List<String> options = new ArrayList<>();
        all.forEach((key, value) -> options.addAll(List.of("-X", key + "=" + value)));
        return options;
    }
}
