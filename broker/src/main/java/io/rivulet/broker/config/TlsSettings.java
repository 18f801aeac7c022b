package io.rivulet.broker.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * How the connections of a listener are encrypted. A key of the listener, such as {@code
 * listener.name.inside.ssl.keystore.location}, wins over the same key of all listeners. Immutable.
 *
 * @param isSelfSigned whether the broker makes its key and certificate itself
 * @param protocols the allowed versions of TLS
 * @param ciphers the allowed cipher suites; empty for those of the JVM
 * @param principals what users are called that show a certificate
 */
public record TlsSettings(
        Keys keys,
        boolean isSelfSigned,
        Trust trust,
        ClientAuth clientAuth,
        List<String> protocols,
        List<String> ciphers,
        PrincipalRules principals) {
    private static final String PEM = "PEM";
    static final String PREFIX = "listener.name.";

    /** Whether clients show a certificate. */
    public enum ClientAuth {
        NONE,
        REQUESTED,
        REQUIRED
    }

    /**
     * The broker's own key and certificates, from a file or as text.
     *
     * @param storePassword empty for none
     * @param keyPassword empty for the password of the store
     * @param chain certificates in PEM; empty if they are in a file
     * @param key the private key in PEM; empty if it is in a file
     */
    public record Keys(
            String type, String location, String storePassword, String keyPassword, String chain, String key) {
        public boolean isPem() {
            return type.equals(PEM);
        }

        /** Without secrets. */
        @Override
        public String toString() {
            return location.isEmpty() ? "ssl.keystore.certificate.chain" : location;
        }
    }

    /**
     * Whose certificates are trusted, from a file or as text.
     *
     * @param password empty for none
     * @param certificates in PEM; empty if they are in a file
     */
    public record Trust(String type, String location, String password, String certificates) {
        public boolean isPem() {
            return type.equals(PEM);
        }

        /** Without it, those are trusted that the JVM trusts. */
        public boolean isGiven() {
            return !location.isEmpty() || !certificates.isEmpty();
        }

        /** Without secrets. */
        @Override
        public String toString() {
            return location.isEmpty() ? "ssl.truststore.certificates" : location;
        }
    }

    /** @throws ConfigException if the listener has no key, or gets it in two ways */
    static TlsSettings of(ConfigValues values, String listener) {
        Function<BrokerKey, String> of = key -> values.ofListener(listener, key);
        Keys keys = new Keys(
                of.apply(BrokerKey.SSL_KEYSTORE_TYPE),
                of.apply(BrokerKey.SSL_KEYSTORE_LOCATION),
                of.apply(BrokerKey.SSL_KEYSTORE_PASSWORD),
                of.apply(BrokerKey.SSL_KEY_PASSWORD),
                of.apply(BrokerKey.SSL_KEYSTORE_CERTIFICATE_CHAIN),
                of.apply(BrokerKey.SSL_KEYSTORE_KEY));
        Trust trust = new Trust(
                of.apply(BrokerKey.SSL_TRUSTSTORE_TYPE),
                of.apply(BrokerKey.SSL_TRUSTSTORE_LOCATION),
                of.apply(BrokerKey.SSL_TRUSTSTORE_PASSWORD),
                of.apply(BrokerKey.SSL_TRUSTSTORE_CERTIFICATES));
        boolean isSelfSigned = values.text(BrokerKey.TLS).equals("self-signed");
        if (!isSelfSigned) {
            check(listener, keys);
        }
        check(listener, trust);
        return new TlsSettings(
                keys,
                isSelfSigned,
                trust,
                ClientAuth.valueOf(of.apply(BrokerKey.SSL_CLIENT_AUTH).toUpperCase(Locale.ROOT)),
                ConfigType.words(of.apply(BrokerKey.SSL_ENABLED_PROTOCOLS)),
                ConfigType.words(of.apply(BrokerKey.SSL_CIPHER_SUITES)),
                PrincipalRules.parse(
                        prefix(listener) + BrokerKey.SSL_PRINCIPAL_MAPPING_RULES.key(),
                        of.apply(BrokerKey.SSL_PRINCIPAL_MAPPING_RULES)));
    }

    /** The same with a key and certificates in a file. */
    public TlsSettings withPem(Path file) {
        Keys own = new Keys(PEM, file.toString(), "", "", "", "");
        return new TlsSettings(own, false, trust, clientAuth, protocols, ciphers, principals);
    }

    /** The same with the key, certificates and trusted certificates of others. */
    public TlsSettings withKeysOf(TlsSettings other) {
        return new TlsSettings(other.keys, other.isSelfSigned, other.trust, clientAuth, protocols, ciphers, principals);
    }

    /** Whether both have the same key, certificates and trusted certificates. */
    public boolean hasKeysOf(TlsSettings other) {
        return keys.equals(other.keys) && trust.equals(other.trust);
    }

    TlsSettings withoutClientAuth() {
        return new TlsSettings(keys, isSelfSigned, trust, ClientAuth.NONE, protocols, ciphers, principals);
    }

    private static void check(String listener, Keys keys) {
        boolean isText = !keys.chain().isEmpty() || !keys.key().isEmpty();
        if (!isText && keys.location().isEmpty()) {
            throw refused(listener, BrokerKey.SSL_KEYSTORE_LOCATION, "given, or rivulet.tls=self-signed");
        }
        if (isText && (!keys.location().isEmpty() || !keys.isPem())) {
            throw refused(listener, BrokerKey.SSL_KEYSTORE_KEY, "given only with type PEM and without a location");
        }
        if (isText && (keys.chain().isEmpty() || keys.key().isEmpty())) {
            throw refused(listener, BrokerKey.SSL_KEYSTORE_CERTIFICATE_CHAIN, "given together with ssl.keystore.key");
        }
        if (keys.isPem() && !keys.storePassword().isEmpty()) {
            throw refused(
                    listener, BrokerKey.SSL_KEYSTORE_PASSWORD, "absent with PEM; ssl.key.password is for the key");
        }
    }

    private static void check(String listener, Trust trust) {
        if (!trust.certificates().isEmpty() && (!trust.location().isEmpty() || !trust.isPem())) {
            throw refused(
                    listener, BrokerKey.SSL_TRUSTSTORE_CERTIFICATES, "given only with type PEM and without a location");
        }
    }

    /** The value may be a secret. */
    private static ConfigException refused(String listener, BrokerKey key, String allowed) {
        return new ConfigException(prefix(listener) + key.key(), "...", allowed);
    }

    /** The beginning of the keys that are for the listener alone. */
    static String prefix(String listener) {
        return PREFIX + listener.toLowerCase(Locale.ROOT) + ".";
    }
}
