package io.rivulet.broker.config;

import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Keys of Kafka that decide who may enter, what is allowed or where records are, and that Rivulet does not serve. To
 * ignore one would make a broker less safe than its configuration says, so a start refuses it. Kafka's default is
 * accepted. Stateless.
 */
public final class UnservedKeys {
    /** A key of one listener, and perhaps of one SASL mechanism. */
    private static final Pattern OF_LISTENER = Pattern.compile("listener\\.name\\.[^.]+\\.(?:[^.]+\\.)??"
            + "((?:ssl|sasl|security|principal|connections\\.max\\.reauth)\\..*|max\\.connection\\.creation\\.rate)");

    private static final Pattern SECURITY = Pattern.compile("(ssl|sasl|security)\\..*");

    private static final Set<String> OTHERS = Set.of(
            "alter.config.policy.class.name",
            "create.topic.policy.class.name",
            "client.quota.callback.class",
            "config.providers",
            "delegation.token.secret.key",
            "principal.builder.class",
            "remote.log.storage.system.enable");

    /** About connections between brokers, of which there are none, and about Kerberos, which can't be enabled. */
    private static final Pattern NOTHING_TO_DECIDE =
            Pattern.compile("security\\.inter\\.broker\\.protocol|ssl\\.endpoint\\.identification\\.algorithm"
                    + "|sasl\\.(?:mechanism|login|kerberos|client)\\..*"
                    + "|sasl\\.oauthbearer\\.(?:assertion|client\\.credentials|token)\\..*"
                    + "|sasl\\.oauthbearer\\.(?:scope|jwt\\.retriever\\.class)");

    /** Kafka's handlers for OAUTHBEARER with the keys of an issuer, which is what Rivulet does. */
    private static final Pattern SERVED_HANDLERS =
            Pattern.compile("org\\.apache\\.kafka\\.common\\.security\\.oauthbearer\\.(?:secured\\.)?"
                    + "OAuthBearerValidatorCallbackHandler");

    private UnservedKeys() {}

    /** @throws ConfigException if one of the keys has a value that does something in Kafka */
    static void refuse(Map<String, String> properties) {
        properties.forEach((key, value) -> {
            if (decides(key) && !value.isBlank() && !value.strip().equals(harmless(key)) && !isServed(key, value)) {
                String allowed = harmless(key).isEmpty() ? "no value" : harmless(key);
                // The value may be a secret.
                throw new ConfigException(
                        key,
                        "...",
                        allowed + ": Rivulet does not serve this key, and without it the broker would be less safe"
                                + " than its configuration says");
            }
        });
    }

    /** Whether the key is one of these. */
    public static boolean decides(String key) {
        String base = base(key);
        boolean isServed = BrokerKey.forKey(base) != null
                || NOTHING_TO_DECIDE.matcher(base).matches();
        return !isServed && (OTHERS.contains(base) || SECURITY.matcher(base).matches());
    }

    /** The key that it sets for one listener; null if it is none of that kind, or not served. */
    public static @Nullable BrokerKey ofListener(String key) {
        String base = base(key);
        return base.equals(key) ? null : BrokerKey.forKey(base);
    }

    private static boolean isServed(String key, String value) {
        return key.endsWith(".oauthbearer.sasl.server.callback.handler.class")
                && SERVED_HANDLERS.matcher(value.strip()).matches();
    }

    private static String harmless(String key) {
        KafkaKey known = KafkaKey.forKey(base(key));
        return known == null ? "" : known.defaultValue();
    }

    /** The key without the listener and mechanism that it is for. */
    private static String base(String key) {
        Matcher ofListener = OF_LISTENER.matcher(key);
        return ofListener.matches() ? ofListener.group(1) : key;
    }
}
