package io.rivulet.broker.tls;

import io.netty.util.NetUtil;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.cert.Certificate;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A self-signed certificate in the data directory, for tests and for first steps. It is made at a start if there is
 * none, if it ends within a month, or if it lacks a host.
 *
 * <p>Crash policy: each of the two files is renamed to its name when it is complete. Stateless.
 */
final class OwnCertificate {
    /** For clients, which are told to trust it. */
    static final String CERTIFICATE = "certificate.pem";
    /** The private key and the certificate. */
    static final String KEY = "key.pem";

    private static final Duration LIFETIME = Duration.ofDays(365);
    private static final Duration REST = Duration.ofDays(30);

    private OwnCertificate() {}

    /** The file with key and certificate. */
    static Path ensure(Path folder, Collection<String> hosts, Instant now) throws IOException {
        Path key = folder.resolve(KEY);
        if (!isUsable(key, hosts, now)) {
            Files.createDirectories(folder);
            try {
                SelfSigned made = SelfSigned.make("rivulet", hosts, now.minus(Duration.ofDays(1)), now.plus(LIFETIME));
                write(folder, KEY, made.privateKey() + made.certificate(), "rw-------");
                write(folder, CERTIFICATE, made.certificate(), "rw-r--r--");
            } catch (GeneralSecurityException e) {
                throw new IOException("no certificate can be made: " + e.getMessage(), e);
            }
        }
        return key;
    }

    private static void write(Path folder, String name, String text, String permissions) throws IOException {
        Path part = folder.resolve(name + ".part");
        Files.deleteIfExists(part);
        Files.createFile(part, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions)));
        Files.writeString(part, text);
        Files.move(part, folder.resolve(name), StandardCopyOption.REPLACE_EXISTING);
    }

    private static boolean isUsable(Path key, Collection<String> hosts, Instant now) {
        try {
            String text = Files.readString(key);
            Certificate own = Pem.certificates(text).get(0);
            return Pem.privateKey(text, "") != null
                    && own instanceof X509Certificate known
                    && known.getNotAfter().toInstant().isAfter(now.plus(REST))
                    && hostsOf(known)
                            .containsAll(
                                    hosts.stream().map(OwnCertificate::plain).toList());
        } catch (IOException | GeneralSecurityException e) {
            return false;
        }
    }

    private static Set<String> hostsOf(X509Certificate certificate) throws CertificateParsingException {
        Set<String> hosts = new HashSet<>();
        Collection<List<?>> names = certificate.getSubjectAlternativeNames();
        if (names != null) {
            names.forEach(name -> hosts.add(plain(String.valueOf(name.get(1)))));
        }
        return hosts;
    }

    /** One of the spellings of an address. */
    private static String plain(String host) {
        byte[] address = NetUtil.createByteArrayFromIpAddressString(host);
        return address == null ? host : NetUtil.bytesToIpAddress(address);
    }
}
