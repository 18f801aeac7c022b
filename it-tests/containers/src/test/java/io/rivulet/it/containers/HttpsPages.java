package io.rivulet.it.containers;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.Base64;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Pages that ask for a name and a password, of a server whose certificate is trusted. */
final class HttpsPages {
    private final String base;
    private final HttpClient client;

    HttpsPages(String base, Path certificate) throws GeneralSecurityException, IOException {
        this.base = base;
        this.client = HttpClient.newBuilder().sslContext(trusting(certificate)).build();
    }

    private static SSLContext trusting(Path certificate) throws GeneralSecurityException, IOException {
        KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
        trusted.load(null, null);
        try (InputStream in = Files.newInputStream(certificate)) {
            trusted.setCertificateEntry(
                    "server", CertificateFactory.getInstance("X.509").generateCertificate(in));
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }

    int status(String page, String user, String password) throws IOException, InterruptedException {
        return ask(page, user, password).statusCode();
    }

    String get(String page, String user, String password) throws IOException, InterruptedException {
        return ask(page, user, password).body();
    }

    private HttpResponse<String> ask(String page, String user, String password)
            throws IOException, InterruptedException {
        String login = Base64.getEncoder().encodeToString((user + ":" + password).getBytes(UTF_8));
        HttpRequest request = HttpRequest.newBuilder(URI.create(base + page))
                .header("Authorization", "Basic " + login)
                .build();
        return client.send(request, BodyHandlers.ofString(UTF_8));
    }
}
