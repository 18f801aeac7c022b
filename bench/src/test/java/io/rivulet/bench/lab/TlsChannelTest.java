package io.rivulet.bench.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.random.RandomGenerator;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against a server with the engine of the JVM. */
final class TlsChannelTest {
    private static final int BYTES = 200_000;

    @TempDir
    private Path directory;

    /** The common pool may have one thread only, which waits for what another one should write. */
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void endThreads() {
        threads.shutdownNow();
    }

    @Test
    void bytesThatComeBackAreThoseThatWereSent() throws Exception {
        try (SSLServerSocket server = server(TlsClient.PROTOCOL)) {
            CompletableFuture<Void> echo = CompletableFuture.runAsync(() -> echo(server), threads);
            byte[] sent = new byte[BYTES];
            RandomGenerator.of("L64X128MixRandom").nextBytes(sent);
            byte[] back = new byte[BYTES];
            try (ByteChannel channel = connect(server)) {
                CompletableFuture<Integer> written =
                        CompletableFuture.supplyAsync(() -> write(channel, ByteBuffer.wrap(sent)), threads);
                ByteBuffer target = ByteBuffer.wrap(back);
                while (target.hasRemaining() && channel.read(target) >= 0) {
                    // until all is there
                }
                assertThat(written.get()).isEqualTo(BYTES);
            }
            assertThat(back).isEqualTo(sent);
            echo.get();
        }
    }

    @Test
    void anotherVersionOfTlsIsAnError() throws Exception {
        try (SSLServerSocket server = server("TLSv1.2")) {
            CompletableFuture<Void> echo = CompletableFuture.runAsync(() -> echo(server), threads);

            assertThatThrownBy(() -> connect(server)).isInstanceOf(IOException.class);
            assertThatThrownBy(echo::join).isInstanceOf(CompletionException.class);
        }
    }

    private static ByteChannel connect(SSLServerSocket server) throws IOException {
        return new TlsClient(false)
                .encrypt(SocketChannel.open(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), server.getLocalPort())));
    }

    private static int write(ByteChannel channel, ByteBuffer bytes) {
        try {
            return channel.write(bytes);
        } catch (IOException e) {
            throw new CompletionException(e);
        }
    }

    /** Sends back what the first connection sends. */
    private static void echo(SSLServerSocket server) {
        try (SSLSocket socket = (SSLSocket) server.accept();
                InputStream in = socket.getInputStream();
                OutputStream out = socket.getOutputStream()) {
            out.write(in.readNBytes(BYTES));
            out.flush();
        } catch (IOException e) {
            throw new CompletionException(e);
        }
    }

    private SSLServerSocket server(String protocol) throws Exception {
        TlsKeys keys = TlsKeys.make(directory);
        char[] password = TlsKeys.PASSWORD.toCharArray();
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream file = Files.newInputStream(keys.keystore())) {
            store.load(file, password);
        }
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(store, password);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        SSLServerSocket server = (SSLServerSocket)
                context.getServerSocketFactory().createServerSocket(0, 1, InetAddress.getLoopbackAddress());
        server.setEnabledProtocols(new String[] {protocol});
        if (protocol.equals(TlsClient.PROTOCOL)) {
            server.setEnabledCipherSuites(new String[] {TlsClient.CIPHER});
        }
        return server;
    }
}
