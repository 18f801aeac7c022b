package io.rivulet.broker.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.config.BrokerConfig;
import io.rivulet.broker.environment.Environment;
import io.rivulet.broker.tls.Encryption;
import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.time.StoreClock;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients of a broker that relays, in front of a socket that stands for the owner. */
final class RelayTest {
    private static final int MANY_BYTES = 16 << 20;
    private static final int END = -1;

    @TempDir
    private Path directory;

    private final FailureLatch failures = new FailureLatch();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Relay relay = new Relay(failures);
    private EventLoops loops;
    private Encryption encryption;
    private BrokerServer server;
    private ServerSocket owner;

    @BeforeEach
    void start() throws Exception {
        BrokerConfig config = BrokerConfig.of(Map.of(
                "listeners", "PLAINTEXT://localhost:0,OTHER://localhost:0",
                "listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,OTHER:PLAINTEXT",
                "log.dirs", directory.toString()));
        loops = new EventLoops("event-loop", 1, failures);
        encryption = new Encryption(config, failures);
        server = BrokerServer.start(
                config,
                Network.sockets(new EventLoops("acceptor", 1, failures), loops),
                encryption,
                relay,
                null,
                Environment.of(StoreClock.system(0), failures));
        owner = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void stop() throws Exception {
        owner.close();
        server.close();
        encryption.close();
        loops.close();
        threads.shutdownNow();
        assertThat(failures.cause()).isNull();
    }

    private void hasOwner() {
        relay.owner(listener -> listener.equals("PLAINTEXT")
                ? InetSocketAddress.createUnresolved("localhost", owner.getLocalPort())
                : null);
    }

    private Socket connect(int listener) throws IOException {
        return new Socket("localhost", server.addresses().get(listener).getPort());
    }

    @Test
    void allBytesArriveInBothDirections() throws Exception {
        hasOwner();
        byte[] bytes = new byte[MANY_BYTES];
        new Random(1).nextBytes(bytes);
        try (Socket client = connect(0);
                Socket taken = owner.accept()) {
            CompletableFuture<byte[]> there = readLater(taken);
            client.getOutputStream().write(bytes);
            assertThat(there.get()).isEqualTo(bytes);
            CompletableFuture<byte[]> back = readLater(client);
            taken.getOutputStream().write(bytes);
            assertThat(back.get()).isEqualTo(bytes);
        }
    }

    private CompletableFuture<byte[]> readLater(Socket from) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        byte[] read = new byte[MANY_BYTES];
                        new DataInputStream(from.getInputStream()).readFully(read);
                        return read;
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                },
                threads);
    }

    @Test
    void aClientWaitsForAnOwner() throws Exception {
        try (Socket client = connect(0)) {
            client.getOutputStream().write(7);
            hasOwner();
            try (Socket taken = owner.accept()) {
                assertThat(taken.getInputStream().read()).isEqualTo(7);
            }
        }
    }

    @Test
    void whatTheOwnerSaidLastArrivesBeforeTheEnd() throws Exception {
        hasOwner();
        try (Socket client = connect(0);
                Socket taken = owner.accept()) {
            taken.getOutputStream().write(7);
            taken.shutdownOutput();
            assertThat(client.getInputStream().read()).isEqualTo(7);
            assertThat(client.getInputStream().read()).isEqualTo(END);
        }
    }

    @Test
    void theOwnerSeesThatAClientIsGone() throws Exception {
        hasOwner();
        try (Socket client = connect(0);
                Socket taken = owner.accept()) {
            client.shutdownOutput();
            assertThat(taken.getInputStream().read()).isEqualTo(END);
        }
    }

    @Test
    void aClientIsNotKeptIfTheOwnerCannotBeReached() throws Exception {
        hasOwner();
        owner.close();
        try (Socket client = connect(0)) {
            assertThat(client.getInputStream().read()).isEqualTo(END);
        }
    }

    @Test
    void aListenerThatTheOwnerDoesNotHaveIsClosed() throws Exception {
        hasOwner();
        try (Socket client = connect(1)) {
            assertThat(client.getInputStream().read()).isEqualTo(END);
        }
    }

    @Test
    void anotherOwnerEndsTheConnectionsToTheOneBefore() throws Exception {
        hasOwner();
        try (Socket client = connect(0);
                Socket taken = owner.accept()) {
            server.show(relay);
            assertThat(client.getInputStream().read()).isEqualTo(END);
            assertThat(taken.getInputStream().read()).isEqualTo(END);
        }
    }
}
