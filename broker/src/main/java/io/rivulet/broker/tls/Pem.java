package io.rivulet.broker.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKey;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.PBEParameterSpec;

/** Reads certificates and private keys (PKCS #8, plain or with a password) from PEM. Stateless. */
final class Pem {
    private static final Pattern BLOCK = Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([^-]*)-----END \\1-----");

    /** A second of work. A client that may change configs can send a key. */
    private static final int MAX_ROUNDS = 1_000_000;

    private static final List<String> KEY_TYPES = List.of("RSA", "EC", "EdDSA", "DSA");

    private Pem() {}

    /** All certificates in the text, in its order. There is at least one. */
    static List<Certificate> certificates(String text) throws IOException, GeneralSecurityException {
        CertificateFactory factory = CertificateFactory.getInstance("X.509");
        List<Certificate> found = new ArrayList<>();
        for (byte[] block : blocks(text, "CERTIFICATE")) {
            found.add(factory.generateCertificate(new ByteArrayInputStream(block)));
        }
        if (found.isEmpty()) {
            throw new IOException("there is no CERTIFICATE in it");
        }
        return found;
    }

    /** The first private key in the text. */
    static PrivateKey privateKey(String text, String password) throws IOException, GeneralSecurityException {
        for (byte[] block : blocks(text, "ENCRYPTED PRIVATE KEY")) {
            if (password.isEmpty()) {
                throw new IOException("its private key needs ssl.key.password");
            }
            return privateKey(decrypt(new EncryptedPrivateKeyInfo(block), password));
        }
        for (byte[] block : blocks(text, "PRIVATE KEY")) {
            return privateKey(new PKCS8EncodedKeySpec(block));
        }
        throw new IOException("there is no PRIVATE KEY of PKCS #8 in it");
    }

    private static List<byte[]> blocks(String text, String label) throws IOException {
        List<byte[]> blocks = new ArrayList<>();
        Matcher block = BLOCK.matcher(text);
        while (block.find()) {
            if (block.group(1).equals(label)) {
                try {
                    blocks.add(Base64.getMimeDecoder().decode(block.group(2)));
                } catch (IllegalArgumentException e) {
                    throw new IOException("a " + label + " in it is no base64", e);
                }
            }
        }
        return blocks;
    }

    private static PKCS8EncodedKeySpec decrypt(EncryptedPrivateKeyInfo encrypted, String password)
            throws IOException, GeneralSecurityException {
        // For PBES2 the name of the scheme is no name of an algorithm; the parameters have one.
        String algorithm = encrypted.getAlgName().equals("PBES2")
                ? String.valueOf(encrypted.getAlgParameters())
                : encrypted.getAlgName();
        int rounds = encrypted
                .getAlgParameters()
                .getParameterSpec(PBEParameterSpec.class)
                .getIterationCount();
        if (rounds > MAX_ROUNDS) {
            throw new IOException("its private key takes " + rounds + " rounds to decrypt; the limit is " + MAX_ROUNDS);
        }
        SecretKey key = SecretKeyFactory.getInstance(algorithm).generateSecret(new PBEKeySpec(password.toCharArray()));
        Cipher cipher = Cipher.getInstance(algorithm);
        cipher.init(Cipher.DECRYPT_MODE, key, encrypted.getAlgParameters());
        return encrypted.getKeySpec(cipher);
    }

    private static PrivateKey privateKey(PKCS8EncodedKeySpec spec) throws IOException, GeneralSecurityException {
        for (String type : KEY_TYPES) {
            try {
                return KeyFactory.getInstance(type).generatePrivate(spec);
            } catch (InvalidKeySpecException e) {
                // it has another type
            }
        }
        throw new IOException("its private key is none of " + String.join(", ", KEY_TYPES));
    }
}
