package io.rivulet.broker.top;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rivulet.broker.client.ClientException;
import io.rivulet.broker.config.HostPort;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Servers that are no broker. */
final class MetricsPageTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String OK = "HTTP/1.1 200 OK\r\n";

    private ServerSocket listening;

    @BeforeEach
    void listen() throws IOException {
        listening = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void close() throws IOException {
        listening.close();
    }

    private interface Server {
        void answer(OutputStream out) throws IOException;
    }

    private List<String> read(Duration patience, Server server) {
        Thread serving = new Thread(() -> {
            try (Socket socket = listening.accept()) {
                server.answer(socket.getOutputStream());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        // the client may close the connection before the answer ends
        serving.setUncaughtExceptionHandler((thread, thrown) -> {});
        serving.setDaemon(true);
        serving.start();
        List<String> lines = new ArrayList<>();
        new MetricsPage(new HostPort("localhost", listening.getLocalPort()), patience).read(lines::add);
        return lines;
    }

    private static Server text(String text) {
        return out -> out.write(text.getBytes(StandardCharsets.UTF_8));
    }

    private static void repeat(OutputStream out, String text, long times) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        for (long i = 0; i < times; i++) {
            out.write(bytes);
        }
    }

    @Test
    void aPageIsReadToItsLengthOrToItsEnd() {
        assertThat(read(PATIENCE, text(OK + "content-LENGTH: 4\r\n\r\na\nb\nmore")))
                .containsExactly("a", "b");
        assertThat(read(PATIENCE, text(OK + "\r\na\n\u00e9"))).containsExactly("a", "\u00e9");
        assertThat(read(PATIENCE, text(OK + "Content-Length: 0\r\n\r\n"))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | does not speak HTTP",
                "SSH-2.0-OpenSSH | does not speak HTTP",
                "HTTP/1.1 503 Service Unavailable;;starting: the log\u001b[2J | answered 503: starting: the log\\u001b",
                "HTTP/1.1 404 Not Found;Content-Length: 0;; | answered 404",
                "HTTP/1.1 200 OK;Content-Length: x;; | no valid Content-Length",
                "HTTP/1.1 200 OK;Content-Length: 99;;a 1 | ended early",
                "HTTP/1.1 200 OK;Transfer-Encoding: chunked;;0 | has an encoding"
            })
    void anotherAnswerSaysWhatItIs(String answer, String reason) {
        assertThatThrownBy(() -> read(PATIENCE, text(answer.replace(";", "\r\n"))))
                .isInstanceOf(ClientException.class)
                .hasMessageContaining("localhost:" + listening.getLocalPort())
                .hasMessageContaining(reason);
    }

    @Test
    void aServerThatNeverEndsIsLeft() {
        assertThatThrownBy(() -> read(PATIENCE, out -> repeat(out, OK, Long.MAX_VALUE)))
                .hasMessageContaining("more than 100 headers");
        assertThatThrownBy(() -> read(PATIENCE, out -> {
                    repeat(out, OK + "\r\n", 1);
                    repeat(out, "xxxxxxxx", Long.MAX_VALUE);
                }))
                .hasMessageContaining("a line has more than");
        assertThatThrownBy(() -> read(PATIENCE, out -> {
                    repeat(out, OK + "\r\n", 1);
                    repeat(out, "a".repeat(1000) + " 1\n", Long.MAX_VALUE);
                }))
                .hasMessageContaining("the page has more than");
    }

    @Test
    void aServerThatIsSilentIsLeft() {
        Duration soon = Duration.ofMillis(300);
        assertThatThrownBy(() ->
                        new MetricsPage(new HostPort("localhost", listening.getLocalPort()), soon).read(line -> {}))
                .hasMessageContaining("no response from localhost:")
                .hasMessageContaining("within 300 ms");
    }

    /** Each byte comes in time, but not the page. */
    @Test
    void aServerThatSendsAByteNowAndThenIsLeft() {
        assertThatThrownBy(() -> read(Duration.ofMillis(300), out -> {
                    while (!Thread.currentThread().isInterrupted()) {
                        repeat(out, "x", 1);
                        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
                    }
                }))
                .hasMessageContaining("within 300 ms");
    }

    @Test
    void aPortWhereNothingListensIsSaid() throws IOException {
        listening.close();

        assertThatThrownBy(() -> read(PATIENCE, text("")))
                .isInstanceOf(ClientException.class)
                .hasMessageContaining("can't read http://localhost:")
                .hasMessageContaining("refused");
    }
}
