package io.rivulet.store.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class PortsTest {
    private static final int COUNT = 4;

    /** A process of tests that is given all ports of a range, and holds them until its input ends. */
    static final class Other {
        private Other() {}

        public static void main(String[] range) throws IOException {
            int first = Integer.parseInt(range[0]);
            String given = Ports.free(first, first + COUNT, COUNT) + "\n";
            new FileOutputStream(FileDescriptor.out).write(given.getBytes(StandardCharsets.US_ASCII));
            System.in.read();
        }
    }

    @Test
    void noPortIsGivenTwice() throws IOException {
        Set<Integer> given = new HashSet<>();
        for (int i = 0; i < 300; i++) {
            int port = Ports.free();
            assertThat(given.add(port)).as("%d is new", port).isTrue();
        }
    }

    @Test
    void whatAnotherProcessWasGivenIsNotGivenHereUntilItEnds() throws Exception {
        int first = someRange();
        Process other = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElseThrow(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Other.class.getName(),
                        String.valueOf(first))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            assertThat(other.inputReader().readLine()).isEqualTo(String.valueOf(first));

            assertThatThrownBy(() -> Ports.free(first, first + COUNT, 1)).hasMessageContaining("no port is free");
        } finally {
            other.destroyForcibly().waitFor();
        }
        assertThat(Ports.free(first, first + COUNT, COUNT)).isEqualTo(first);
    }

    @Test
    void aPortWithAServerIsNotGiven() throws IOException {
        int first = someRange();
        try (ServerSocket server = new ServerSocket(first + 1, 1, InetAddress.getLoopbackAddress())) {
            assertThatThrownBy(() -> Ports.free(first, first + COUNT, COUNT)).hasMessageContaining("no port is free");
            assertThat(server.isBound()).isTrue();
        }
    }

    /** The first of some ports that nobody has, below those that other tests are given. */
    private static int someRange() throws IOException {
        int first = Ports.free(10_000, 20_000, COUNT);
        Ports.giveBack(COUNT);
        return first;
    }
}
