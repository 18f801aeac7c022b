package io.rivulet.broker.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.config.BrokerConfig;
import io.rivulet.broker.environment.Environment;
import io.rivulet.broker.tls.Encryption;
import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.time.StoreClock;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A broker that relays on real sockets, with one event loop. */
final class TestRelay {
    /** Listeners; owners have all but the second. */
    static final int PLAIN = 0;

    static final int UNKNOWN = 1;
    static final int LOGIN = 2;
    private static final int BACKLOG = 50;
    private static final int FAILED_MILLIS = 30_000;
    private static final List<String> OF_OWNERS = List.of("PLAINTEXT", "LOGIN");

    final FailureLatch failures = new FailureLatch();
    final Relay relay;
    final BrokerServer server;
    private final EventLoops loops;
    private final Encryption encryption;

    TestRelay(Path directory) throws IOException {
        BrokerConfig config = BrokerConfig.of(Map.of(
                "listeners", "PLAINTEXT://localhost:0,OTHER://localhost:0,LOGIN://localhost:0",
                "listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,OTHER:PLAINTEXT,LOGIN:SASL_PLAINTEXT",
                "rivulet.users", "alice:secret",
                "log.dirs", directory.toString()));
        relay = new Relay(Transports.TESTED, failures, 0);
        loops = new EventLoops("event-loop", 1, Transports.TESTED, failures);
        encryption = new Encryption(config, failures);
        server = BrokerServer.start(
                config,
                Network.sockets(Transports.TESTED, new EventLoops("acceptor", 1, Transports.TESTED, failures), loops),
                encryption,
                relay,
                null,
                Environment.of(StoreClock.system(0), failures));
    }

    static ServerSocket owner() throws IOException {
        ServerSocket owner = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
        owner.setSoTimeout(FAILED_MILLIS);
        return owner;
    }

    static void setOwner(Relay of, ServerSocket owner) {
        of.owner(listener -> OF_OWNERS.contains(listener)
                ? InetSocketAddress.createUnresolved("localhost", owner.getLocalPort())
                : null);
    }

    /** As when a broker hears of the next owner. */
    void changeOwner(ServerSocket next) {
        relay.owner(null);
        server.show(relay);
        setOwner(relay, next);
    }

    Socket connect(int listener) throws IOException {
        Socket client = new Socket("localhost", server.addresses().get(listener).getPort());
        client.setTcpNoDelay(true);
        client.setSoTimeout(FAILED_MILLIS);
        return client;
    }

    /** Returns when so many clients were taken. */
    void awaitClients(int listener, int count) throws Exception {
        while (server.connections().get(listener).open() != count) {
            Thread.onSpinWait();
        }
        settle();
    }

    /** Returns when so many clients have a connection to the owner. */
    void awaitRelayed(int count) throws Exception {
        while (relay.open() != count) {
            Thread.onSpinWait();
        }
        settle();
    }

    void awaitWaiting(int count) {
        while (relay.waiting() != count) {
            Thread.onSpinWait();
        }
    }

    /** Returns when the event loop has done what it was told before. */
    void settle() throws Exception {
        loops.next().submit(() -> {}).get();
    }

    /** Nothing may be left. */
    void stop() throws Exception {
        server.close();
        settle();
        server.closeConnections(); // one that was accepted while the others were closed
        settle();
        assertThat(relay.bufferedBytes()).isZero();
        assertThat(relay.waiting()).isZero();
        encryption.close();
        loops.close();
        assertThat(failures.cause()).isNull();
    }
}
