package io.rivulet.broker.tls;

import io.netty.util.NetUtil;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.Collection;

/**
 * A key on the curve P-256, and a certificate that it has signed itself. Its DER is written by hand, because the JDK
 * makes a certificate only with a process of keytool. Immutable.
 *
 * @param privateKey in PEM, PKCS #8
 * @param certificate in PEM
 */
public record SelfSigned(String privateKey, String certificate) {
    private static final int INTEGER = 0x02;
    private static final int BIT_STRING = 0x03;
    private static final int OCTET_STRING = 0x04;
    private static final int OBJECT_ID = 0x06;
    private static final int UTF8 = 0x0c;
    private static final int UTC_TIME = 0x17;
    private static final int SEQUENCE = 0x30;
    private static final int SET = 0x31;
    private static final int VERSION = 0xa0;
    private static final int EXTENSIONS = 0xa3;
    private static final int DNS_NAME = 0x82;
    private static final int IP_ADDRESS = 0x87;

    private static final byte[] V3 = {2};
    private static final byte[] ECDSA_WITH_SHA256 = {0x2a, (byte) 0x86, 0x48, (byte) 0xce, 0x3d, 4, 3, 2};
    private static final byte[] COMMON_NAME = {0x55, 4, 3};
    private static final byte[] ALTERNATIVE_NAMES = {0x55, 0x1d, 0x11};
    private static final int SERIAL_BITS = 127;
    private static final int LONG_FORM = 0x80;
    /** Until 2049. */
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);

    /** Has no secret. */
    @Override
    public String toString() {
        return certificate;
    }

    /**
     * Makes a new key and its certificate.
     *
     * @param hosts names and addresses that clients connect to
     */
    public static SelfSigned make(String commonName, Collection<String> hosts, Instant from, Instant until)
            throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        KeyPair pair = generator.generateKeyPair();
        byte[] algorithm = der(SEQUENCE, der(OBJECT_ID, ECDSA_WITH_SHA256));
        byte[] name = der(SEQUENCE, der(SET, der(SEQUENCE, der(OBJECT_ID, COMMON_NAME), der(UTF8, utf8(commonName)))));
        byte[] signed = der(
                SEQUENCE,
                der(VERSION, der(INTEGER, V3)),
                der(
                        INTEGER,
                        new BigInteger(SERIAL_BITS, new SecureRandom())
                                .setBit(SERIAL_BITS - 1)
                                .toByteArray()),
                algorithm,
                name,
                der(SEQUENCE, time(from), time(until)),
                name,
                pair.getPublic().getEncoded(),
                der(EXTENSIONS, der(SEQUENCE, alternativeNames(hosts))));
        Signature signature = Signature.getInstance("SHA256withECDSA");
        signature.initSign(pair.getPrivate());
        signature.update(signed);
        byte[] certificate = der(SEQUENCE, signed, algorithm, der(BIT_STRING, new byte[1], signature.sign()));
        return new SelfSigned(pem("PRIVATE KEY", pair.getPrivate().getEncoded()), pem("CERTIFICATE", certificate));
    }

    private static byte[] alternativeNames(Collection<String> hosts) {
        byte[][] names = hosts.stream()
                .map(host -> {
                    byte[] address = NetUtil.createByteArrayFromIpAddressString(host);
                    return address == null ? der(DNS_NAME, utf8(host)) : der(IP_ADDRESS, address);
                })
                .toArray(byte[][]::new);
        return der(SEQUENCE, der(OBJECT_ID, ALTERNATIVE_NAMES), der(OCTET_STRING, der(SEQUENCE, names)));
    }

    private static byte[] time(Instant at) {
        return der(UTC_TIME, utf8(TIME.format(at)));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Tag, length, and the parts as content. */
    private static byte[] der(int tag, byte[]... parts) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            content.writeBytes(part);
        }
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.write(tag);
        byte[] length = BigInteger.valueOf(content.size()).toByteArray();
        if (content.size() >= LONG_FORM) {
            int leadingZeros = length[0] == 0 ? 1 : 0;
            all.write(LONG_FORM | length.length - leadingZeros);
            all.write(length, leadingZeros, length.length - leadingZeros);
        } else {
            all.write(content.size());
        }
        all.writeBytes(content.toByteArray());
        return all.toByteArray();
    }

    private static String pem(String label, byte[] bytes) {
        String lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
        return "-----BEGIN " + label + "-----\n" + lines + "\n-----END " + label + "-----\n";
    }
}
