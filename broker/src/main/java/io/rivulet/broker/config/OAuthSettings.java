package io.rivulet.broker.config;

import java.util.List;

/**
 * Which tokens of OAUTHBEARER a listener accepts. Immutable.
 *
 * @param keysUrl where the keys of the issuer are, as a JSON Web Key Set: http, https or file
 * @param audiences one of them must be in a token that names its audience
 * @param issuer empty for any
 * @param userClaim the claim that names the user
 */
public record OAuthSettings(
        String keysUrl,
        List<String> audiences,
        String issuer,
        String scopeClaim,
        String userClaim,
        int skewSeconds,
        long refreshMillis,
        long backoffMillis,
        long maxBackoffMillis) {
    private static final SaslMechanism OF = SaslMechanism.OAUTHBEARER;

    /** As for Kafka's broker and clients; without it, the configuration alone decides. */
    private static final String ALLOWED_URLS = "org.apache.kafka.sasl.oauthbearer.allowed.urls";

    /** @throws ConfigException if there is no place for keys, or it is not allowed */
    static OAuthSettings of(ConfigValues values, String listener) {
        BrokerKey urlKey = BrokerKey.SASL_OAUTHBEARER_JWKS_ENDPOINT_URL;
        String url = values.textOfMechanism(listener, OF, urlKey);
        if (!url.matches("(?i)(https?|file):.+")) {
            throw new ConfigException(
                    urlKey.key(), url, "a URL with http, https or file: tokens without a signature are not accepted");
        }
        String allowed = System.getProperty(ALLOWED_URLS);
        if (allowed != null && !ConfigType.words(allowed).contains(url)) {
            throw new ConfigException(urlKey.key(), url, "one of those in the property " + ALLOWED_URLS);
        }
        return new OAuthSettings(
                url,
                ConfigType.words(values.textOfMechanism(listener, OF, BrokerKey.SASL_OAUTHBEARER_EXPECTED_AUDIENCE)),
                values.textOfMechanism(listener, OF, BrokerKey.SASL_OAUTHBEARER_EXPECTED_ISSUER),
                values.textOfMechanism(listener, OF, BrokerKey.SASL_OAUTHBEARER_SCOPE_CLAIM_NAME),
                values.textOfMechanism(listener, OF, BrokerKey.SASL_OAUTHBEARER_SUB_CLAIM_NAME),
                (int) values.numberOfMechanism(listener, OF, BrokerKey.SASL_OAUTHBEARER_CLOCK_SKEW_SECONDS),
                values.numberOfMechanism(listener, OF, BrokerKey.SASL_OAUTHBEARER_JWKS_ENDPOINT_REFRESH_MS),
                values.numberOfMechanism(listener, OF, BrokerKey.SASL_OAUTHBEARER_JWKS_ENDPOINT_RETRY_BACKOFF_MS),
                values.numberOfMechanism(listener, OF, BrokerKey.SASL_OAUTHBEARER_JWKS_ENDPOINT_RETRY_BACKOFF_MAX_MS));
    }
}
