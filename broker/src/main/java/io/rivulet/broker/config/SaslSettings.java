package io.rivulet.broker.config;

import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How clients of a listener log in. A key of the listener, such as {@code
 * listener.name.inside.plain.sasl.jaas.config}, wins over the same key of all listeners. Immutable.
 *
 * @param mechanisms those that are enabled, in the order of the configuration
 * @param oauth which tokens are accepted; null if OAUTHBEARER is not enabled
 * @param maxReceiveBytes the longest request before a login
 * @param failureDelayMillis how long a failed login waits for its answer
 */
public record SaslSettings(
        Map<SaslMechanism, OfMechanism> mechanisms,
        @Nullable OAuthSettings oauth,
        int maxReceiveBytes,
        long failureDelayMillis) {
    /** Memory for requests of clients that have not logged in, besides two of the longest. */
    private static final long MEMORY_BYTES = 4 << 20;

    private static final String ALLOWED = String.join(
            ", ", Arrays.stream(SaslMechanism.values()).map(SaslMechanism::text).toList());

    /**
     * The settings of one mechanism.
     *
     * @param jaas a login module and its options, as text; empty if there is none
     * @param maxReauthMillis how long a login is valid; for ever if it is not positive
     */
    public record OfMechanism(String jaas, long maxReauthMillis) {
        /** Without secrets. */
        @Override
        public String toString() {
            return "valid for " + maxReauthMillis + " ms";
        }
    }

    public SaslSettings {
        mechanisms = Collections.unmodifiableMap(new LinkedHashMap<>(mechanisms));
    }

    /** @throws ConfigException if a mechanism is not served */
    static SaslSettings of(ConfigValues values, String listener) {
        Map<SaslMechanism, OfMechanism> mechanisms = new LinkedHashMap<>();
        for (String name : enabled(values, listener)) {
            SaslMechanism mechanism = SaslMechanism.ofText(name);
            if (mechanism == null) {
                throw new ConfigException(
                        BrokerKey.SASL_ENABLED_MECHANISMS.key(),
                        name,
                        "some of " + ALLOWED + " for listener " + listener);
            }
            mechanisms.put(
                    mechanism,
                    new OfMechanism(
                            values.ofMechanism(listener, mechanism, BrokerKey.SASL_JAAS_CONFIG, ""),
                            values.numberOfMechanism(listener, mechanism, BrokerKey.CONNECTIONS_MAX_REAUTH_MS)));
        }
        return new SaslSettings(
                mechanisms,
                mechanisms.containsKey(SaslMechanism.OAUTHBEARER) ? OAuthSettings.of(values, listener) : null,
                (int) BrokerKey.SASL_SERVER_MAX_RECEIVE_SIZE
                        .type()
                        .parse(
                                BrokerKey.SASL_SERVER_MAX_RECEIVE_SIZE.key(),
                                values.ofListener(listener, BrokerKey.SASL_SERVER_MAX_RECEIVE_SIZE)),
                values.number(BrokerKey.CONNECTION_FAILED_AUTHENTICATION_DELAY_MS));
    }

    /** Users that are configured can log in with each mechanism for passwords, unless the mechanisms are given. */
    private static List<String> enabled(ConfigValues values, String listener) {
        BrokerKey key = BrokerKey.SASL_ENABLED_MECHANISMS;
        boolean given = values.isGiven(key) || values.isGivenFor(listener, key);
        return !given && values.isGiven(BrokerKey.USERS)
                ? List.of(
                        SaslMechanism.PLAIN.text(),
                        SaslMechanism.SCRAM_SHA_256.text(),
                        SaslMechanism.SCRAM_SHA_512.text())
                : ConfigType.words(values.ofListener(listener, key));
    }

    /** Whether clients can log in with a name and a password. */
    public boolean takesPasswords() {
        return mechanisms.keySet().stream().anyMatch(mechanism -> mechanism != SaslMechanism.OAUTHBEARER);
    }

    /** The names of the mechanisms, as clients get them. */
    public List<String> names() {
        return mechanisms.keySet().stream().map(SaslMechanism::text).toList();
    }

    /** Memory for requests of clients that have not logged in; 0 if no listener may need it. */
    static long memoryBytes(ConfigValues values) {
        boolean mayLogIn = (values.text(BrokerKey.LISTENERS) + values.text(BrokerKey.LISTENER_SECURITY_PROTOCOL_MAP))
                .contains("SASL_");
        return mayLogIn ? MEMORY_BYTES + 2 * longestReceive(values) : 0;
    }

    /** The longest request before a login, of all listeners. */
    static long longestReceive(ConfigValues values) {
        BrokerKey key = BrokerKey.SASL_SERVER_MAX_RECEIVE_SIZE;
        long longest = values.number(key);
        for (Map.Entry<String, String> given : values.given().entrySet()) {
            if (given.getKey().endsWith("." + key.key())) {
                longest = Math.max(longest, key.type().parse(given.getKey(), given.getValue()));
            }
        }
        return longest;
    }
}
