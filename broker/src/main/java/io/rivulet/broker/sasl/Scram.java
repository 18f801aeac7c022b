package io.rivulet.broker.sasl;

import io.rivulet.broker.config.SaslMechanism;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/** The functions of SCRAM, RFC 5802, with one hash function. As in Kafka, names and passwords are not prepared. */
public enum Scram {
    SHA_256(1, SaslMechanism.SCRAM_SHA_256, "SHA-256", "HmacSHA256", 32),
    SHA_512(2, SaslMechanism.SCRAM_SHA_512, "SHA-512", "HmacSHA512", 64);

    public static final int MIN_ITERATIONS = 4096;
    public static final int MAX_ITERATIONS = 16_384;

    private final byte code;
    private final SaslMechanism mechanism;
    private final String hash;
    private final String mac;
    private final int keyBytes;

    Scram(int code, SaslMechanism mechanism, String hash, String mac, int keyBytes) {
        this.code = (byte) code;
        this.mechanism = mechanism;
        this.hash = hash;
        this.mac = mac;
        this.keyBytes = keyBytes;
    }

    /** Its number in Kafka's protocol. */
    public byte code() {
        return code;
    }

    public SaslMechanism mechanism() {
        return mechanism;
    }

    int keyBytes() {
        return keyBytes;
    }

    /** Null if there is none with this number. */
    public static @Nullable Scram ofCode(byte code) {
        return code == SHA_256.code ? SHA_256 : code == SHA_512.code ? SHA_512 : null;
    }

    byte[] hash(byte[] bytes) {
        try {
            return MessageDigest.getInstance(hash).digest(bytes);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the JVM lacks " + hash, e);
        }
    }

    byte[] hmac(byte[] key, byte[] bytes) {
        try {
            return mac(key).doFinal(bytes);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the JVM lacks " + mac, e);
        }
    }

    private Mac mac(byte[] key) throws GeneralSecurityException {
        Mac made = Mac.getInstance(mac);
        made.init(new SecretKeySpec(key.length == 0 ? new byte[1] : key, mac)); // HMAC pads keys with zeros
        return made;
    }

    /** Takes a millisecond or more. */
    byte[] saltedPassword(String password, byte[] salt, int iterations) {
        try {
            Mac made = mac(password.getBytes(StandardCharsets.UTF_8));
            made.update(salt);
            byte[] block = made.doFinal(new byte[] {0, 0, 0, 1});
            byte[] sum = block.clone();
            for (int i = 1; i < iterations; i++) {
                block = made.doFinal(block);
                xorInto(sum, block);
            }
            return sum;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the JVM lacks " + mac, e);
        }
    }

    /** What the broker keeps of a password. */
    public ScramCredential credential(byte[] saltedPassword, byte[] salt, int iterations) {
        byte[] clientKey = hmac(saltedPassword, ascii("Client Key"));
        return new ScramCredential(salt, hash(clientKey), hmac(saltedPassword, ascii("Server Key")), iterations);
    }

    static void xorInto(byte[] sum, byte[] other) {
        for (int i = 0; i < sum.length; i++) {
            sum[i] ^= other[i];
        }
    }

    static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
