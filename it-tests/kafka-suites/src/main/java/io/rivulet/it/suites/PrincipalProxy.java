package io.rivulet.it.suites;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.message.SaslAuthenticateRequestData;
import org.apache.kafka.common.message.SaslHandshakeRequestData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.requests.SaslAuthenticateRequest;
import org.apache.kafka.common.requests.SaslHandshakeRequest;

/**
 * Stands before a listener with logins, for clients that do not log in. It asks the test's class who the client is,
 * logs in as that user, and passes all bytes on.
 *
 * <p>Owned by: the thread of the test. Two threads for each connection, until {@link #close}.
 */
final class PrincipalProxy implements AutoCloseable {
    /** The password of all users that tests name. */
    static final String PASSWORD = "of-tests";

    private final ServerSocket server;
    private final String listener;
    private final int brokerPort;
    private final TestPrincipals principals;
    // Guarded by: the list itself.
    private final List<AutoCloseable> sockets = new ArrayList<>();
    // Guarded by: sockets.
    private final List<Thread> threads = new ArrayList<>();

    /** @param port where clients connect */
    PrincipalProxy(String listener, int port, int brokerPort, TestPrincipals principals) {
        this.listener = listener;
        this.brokerPort = brokerPort;
        this.principals = principals;
        try {
            server = new ServerSocket(port, 50, InetAddress.getByName("localhost"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        sockets.add(server);
        run(this::accept);
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = server.accept();
            if (keep(client)) {
                run(() -> serve(client));
            }
        }
    }

    private void serve(Socket client) throws IOException {
        // A closed socket tells the client that the broker is not there.
        try (client;
                Socket broker = new Socket(InetAddress.getByName("localhost"), brokerPort)) {
            if (keep(broker)) {
                client.setTcpNoDelay(true);
                broker.setTcpNoDelay(true);
                logIn(broker);
                run(() -> pass(broker, client));
                pass(client, broker);
            }
        }
    }

    private static void pass(Socket from, Socket to) throws IOException {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        }
    }

    private void logIn(Socket broker) throws IOException {
        String user = principals.principal(listener).getName();
        send(broker, new SaslHandshakeRequest(new SaslHandshakeRequestData().setMechanism("PLAIN"), (short) 1));
        byte[] token = ("\0" + user + "\0" + PASSWORD).getBytes(StandardCharsets.UTF_8);
        send(broker, new SaslAuthenticateRequest(new SaslAuthenticateRequestData().setAuthBytes(token), (short) 2));
    }

    private static void send(Socket broker, AbstractRequest request) throws IOException {
        RequestHeader header = new RequestHeader(request.apiKey(), request.version(), "proxy", 1);
        ByteBuffer bytes = request.serializeWithHeader(header);
        ByteBuffer sized = ByteBuffer.allocate(Integer.BYTES + bytes.remaining())
                .putInt(bytes.remaining())
                .put(bytes);
        broker.getOutputStream().write(sized.array());
        InputStream in = broker.getInputStream();
        int size = new DataInputStream(in).readInt();
        AbstractResponse response = AbstractResponse.parseResponse(ByteBuffer.wrap(in.readNBytes(size)), header);
        if (!response.errorCounts().keySet().equals(Set.of(Errors.NONE))) {
            throw new IOException("the proxy can't log in: " + response);
        }
    }

    private boolean keep(Socket socket) throws IOException {
        synchronized (sockets) {
            if (server.isClosed()) {
                socket.close();
                return false;
            }
            sockets.add(socket);
            return true;
        }
    }

    /** What ends with an error when a socket is closed. */
    private interface Work {
        void run() throws IOException;
    }

    private void run(Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (IOException e) {
                        // One side has closed the connection.
                    }
                },
                "principal-proxy");
        thread.setDaemon(true);
        synchronized (sockets) {
            threads.add(thread);
        }
        thread.start();
    }

    /** Returns when its threads have ended. */
    @Override
    public void close() {
        List<Thread> running;
        synchronized (sockets) {
            sockets.forEach(PrincipalProxy::closeQuietly);
            running = List.copyOf(threads);
        }
        try {
            for (Thread thread : running) {
                thread.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void closeQuietly(AutoCloseable socket) {
        try {
            socket.close();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
