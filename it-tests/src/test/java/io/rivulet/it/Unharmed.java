package io.rivulet.it;

import java.io.IOException;

/**
 * Checks a broker after an attack: all threads live, and another client is served soon.
 *
 * <pre>{@code
 * Unharmed broker = Unharmed.before(server, port);
 * ... attack ...
 * broker.assertStill();
 * }</pre>
 *
 * <p>Immutable.
 */
final class Unharmed {
    private final ServerProcess server;
    private final int port;
    private final ThreadCensus threads;

    private Unharmed(ServerProcess server, int port, ThreadCensus threads) {
        this.server = server;
        this.port = port;
        this.threads = threads;
    }

    /** Serves a client once, so that classes are loaded. */
    static Unharmed before(ServerProcess server, int port) throws IOException, InterruptedException {
        SecondClient.assertServes(port);
        return new Unharmed(server, port, ThreadCensus.of(server));
    }

    void assertStill() throws IOException, InterruptedException {
        SecondClient.assertServes(port);
        threads.assertAllLive(server);
    }

    /** With produce and fetch only, because groups and topics may be full. */
    void assertStillServesRecords() throws IOException, InterruptedException {
        SecondClient.assertServesRecords(port);
        threads.assertAllLive(server);
    }

    /** For a broker inside the test: loads classes, once for all tests of a class. */
    static void warmUp(TestBroker broker) throws IOException {
        SecondClient.assertServes(port(broker));
    }

    static void assertUnharmed(TestBroker broker) throws IOException {
        SecondClient.assertServes(port(broker));
        ThreadCensus.assertAllLiveHere();
    }

    private static int port(TestBroker broker) {
        return broker.addresses().get(0).getPort();
    }
}
