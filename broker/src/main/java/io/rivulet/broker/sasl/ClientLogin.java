package io.rivulet.broker.sasl;

import io.rivulet.broker.config.SaslMechanism;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The client's side of a login, for the tools. Immutable. */
public record ClientLogin(SaslMechanism mechanism, String user, String password) {
    private static final int NONCE_BYTES = 18;
    /** A second of work. */
    private static final int MAX_ITERATIONS = 1_000_000;

    private static final SecureRandom RANDOM = new SecureRandom();

    /** Without secrets. */
    @Override
    public String toString() {
        return mechanism.text() + " as " + user;
    }

    /**
     * Reads the values of Kafka's keys.
     *
     * @throws IOException if one of them can't be used; the message has no secret
     */
    public static ClientLogin of(String mechanism, String jaasConfig) throws IOException {
        SaslMechanism known = SaslMechanism.ofText(mechanism);
        if (known == null || known == SaslMechanism.OAUTHBEARER) {
            throw new IOException("sasl.mechanism is '" + mechanism + "'; allowed is PLAIN or SCRAM-SHA-256 or -512");
        }
        try {
            Map<String, String> options = Jaas.module(jaasConfig).options();
            String user = options.get("username");
            String password = options.get("password");
            if (user == null || password == null) {
                throw new IOException("sasl.jaas.config has no username and password");
            }
            return new ClientLogin(known, user, password);
        } catch (Jaas.JaasException e) {
            throw new IOException("sasl.jaas.config " + e.getMessage(), e);
        }
    }

    /** The messages of one login. */
    public interface Conversation {
        /**
         * The next message of the client. Null if the login is complete.
         *
         * @param answer of the broker; empty before the first message
         * @throws IOException if the broker does not know the password, or speaks no SCRAM
         */
        byte @Nullable [] next(byte[] answer) throws IOException;
    }

    /** Begins a login. */
    public Conversation begin() {
        return switch (mechanism) {
            case PLAIN -> new Plain();
            case SCRAM_SHA_256 -> new Messages(Scram.SHA_256);
            case SCRAM_SHA_512 -> new Messages(Scram.SHA_512);
            case OAUTHBEARER -> throw new IllegalStateException(mechanism + " has no password");
        };
    }

    private final class Plain implements Conversation {
        private boolean sent;

        @Override
        public byte @Nullable [] next(byte[] answer) {
            if (sent) {
                return null;
            }
            sent = true;
            return utf8('\0' + user + '\0' + password);
        }
    }

    /** Those of {@link ScramExchange}, from the other side. */
    private final class Messages implements Conversation {
        private final Scram scram;
        private final String nonce = base64(random());
        private final String first = "n=" + user.replace("=", "=3D").replace(",", "=2C") + ",r=" + nonce;
        private boolean began;
        private byte @Nullable [] signature;

        Messages(Scram scram) {
            this.scram = scram;
        }

        @Override
        public byte @Nullable [] next(byte[] answer) throws IOException {
            byte[] expected = signature;
            if (!began) {
                began = true;
                return utf8("n,," + first);
            }
            if (expected == null) {
                return proof(new String(answer, StandardCharsets.UTF_8));
            }
            if (!MessageDigest.isEqual(answer, expected)) {
                throw new IOException("the broker does not know the password");
            }
            return null;
        }

        private byte[] proof(String answer) throws IOException {
            Map<String, String> parts = parts(answer);
            String both = parts.getOrDefault("r", "");
            int iterations = number(parts.getOrDefault("i", ""));
            byte[] salt = bytes(parts.getOrDefault("s", ""));
            if (!both.startsWith(nonce) || iterations < 1 || iterations > MAX_ITERATIONS || salt.length == 0) {
                throw new IOException("the broker speaks no SCRAM");
            }
            String last = "c=biws,r=" + both;
            byte[] signed = utf8(first + "," + answer + "," + last);
            byte[] salted = scram.saltedPassword(password, salt, iterations);
            byte[] clientKey = scram.hmac(salted, Scram.ascii("Client Key"));
            byte[] proof = scram.hmac(scram.hash(clientKey), signed);
            Scram.xorInto(proof, clientKey);
            signature = utf8("v=" + base64(scram.hmac(scram.hmac(salted, Scram.ascii("Server Key")), signed)));
            return utf8(last + ",p=" + base64(proof));
        }
    }

    private static Map<String, String> parts(String answer) {
        Map<String, String> parts = new HashMap<>();
        for (String part : answer.split(",", -1)) {
            if (part.length() > 1 && part.charAt(1) == '=') {
                parts.put(part.substring(0, 1), part.substring(2));
            }
        }
        return parts;
    }

    private static int number(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    private static byte[] bytes(String base64) {
        try {
            return Base64.getDecoder().decode(base64);
        } catch (IllegalArgumentException e) {
            return new byte[0];
        }
    }

    private static byte[] random() {
        byte[] random = new byte[NONCE_BYTES];
        RANDOM.nextBytes(random);
        return random;
    }

    private static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
