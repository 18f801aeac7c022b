package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.epoll.Epoll;
import io.netty.channel.uring.IoUring;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.net.Socket;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Native transports, where the machine has them and where it does not. */
final class TransportIT {
    /** ApiVersions of version 0. */
    private static final byte[] REQUEST = {0, 0, 0, 10, 0, 18, 0, 0, 0, 0, 0, 1, -1, -1};

    private static final int MANY = 500;

    @TempDir
    private Path directory;

    private ServerProcess start(String transport, String... java) throws Exception {
        return ServerProcess.in(directory)
                .java(java)
                .start(
                        "--override=listeners=PLAINTEXT://localhost:0",
                        "--override=rivulet.http.listener=localhost:0",
                        "--override=rivulet.transport=" + transport);
    }

    /** io_uring is forbidden in many containers. */
    @ParameterizedTest
    @ValueSource(strings = {"epoll", "io_uring"})
    void clientsAndPagesAreServedOrTheStartSaysWhyNot(String transport) throws Exception {
        try (ServerProcess server = start(transport)) {
            if (transport.equals("epoll") ? Epoll.isAvailable() : IoUring.isAvailable()) {
                int port = server.awaitReady();
                assertThat(server.err()).contains("Connections are served by " + transport);
                SecondClient.assertServes(port);
                assertThat(HttpPage.get(server.http() + "/readyz").status()).isEqualTo(200);
                allAnswersComeBeforeTheEnd(port);
                server.terminate();
                assertThat(server.awaitEnd()).isZero();
            } else {
                assertThat(server.awaitEnd()).isEqualTo(1);
                assertThat(server.err())
                        .contains("rivulet.transport is '" + transport + "'; allowed is nio or auto, because "
                                + transport + " can't be loaded: ");
            }
        }
    }

    /** A client that sends no more may still read. */
    private static void allAnswersComeBeforeTheEnd(int port) throws Exception {
        try (Socket socket = new Socket("localhost", port)) {
            DataOutputStream out = new DataOutputStream(socket.getOutputStream());
            for (byte[] request :
                    IntStream.range(0, MANY).mapToObj(i -> REQUEST).toList()) {
                out.write(request);
            }
            DataInputStream in = new DataInputStream(socket.getInputStream());
            for (int i = 0; i < MANY; i++) {
                in.readFully(new byte[in.readInt()]);
            }
            socket.shutdownOutput();
            assertThat(in.read()).isEqualTo(-1);
        }
    }

    @Test
    void withoutTheLibraryANamedTransportStopsTheStart() throws Exception {
        try (ServerProcess server = start("epoll", "-Dio.netty.native.workdir=/proc/none")) {
            assertThat(server.awaitEnd()).isEqualTo(1);
            assertThat(server.err())
                    .contains("rivulet.transport is 'epoll'; allowed is nio or auto, because epoll can't be loaded: ");
        }
    }

    @Test
    void withoutTheLibraryAutoIsNio() throws Exception {
        try (ServerProcess server = start("auto", "-Dio.netty.native.workdir=/proc/none")) {
            SecondClient.assertServes(server.awaitReady());
            assertThat(server.err()).contains("Connections are served by nio");
        }
    }
}
