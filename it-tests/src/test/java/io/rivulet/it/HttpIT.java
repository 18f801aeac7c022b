package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rivulet.broker.EmbeddedBroker;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The listener for pages: what it costs, its limits, and requests that are none. */
final class HttpIT {
    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @AutoClose
    private final EmbeddedBroker broker = EmbeddedBroker.inMemoryOrTemp()
            .with("rivulet.transport", TestBroker.TRANSPORT)
            .with("rivulet.http.listener", "localhost:0")
            .start();

    private HttpResponse<String> ask(String method, String path, String body) throws Exception {
        return CLIENT.send(
                HttpRequest.newBuilder(URI.create(broker.httpAddress() + path))
                        .method(method, BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
    }

    private void assertAlive() throws Exception {
        HttpPage.Answer answer = HttpPage.get(broker.httpAddress() + "/livez");
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("alive\n");
    }

    /** Everything that the broker answers to these bytes until it closes the connection. */
    private String afterSending(byte[] bytes) throws IOException {
        try (Socket socket = connect()) {
            socket.getOutputStream().write(bytes);
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket("localhost", URI.create(broker.httpAddress()).getPort());
        socket.setSoTimeout((int) Clients.PATIENCE.toMillis());
        return socket;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static boolean runs(String thread) {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(running -> running.getName().equals(thread));
    }

    @Test
    void theThreadOfThePagesStartsWithTheFirstConnectionAndEndsWithTheBroker() throws Exception {
        assertThat(runs("http-1")).isFalse();
        assertAlive();
        assertThat(runs("http-1")).isTrue();
        ThreadCensus.assertAllHaveHandlersHere();
        broker.close();
        Awaitility.await().atMost(Clients.PATIENCE).until(() -> !runs("http-1"));
        assertThatThrownBy(this::connect).isInstanceOf(IOException.class);
    }

    @Test
    void pathsAndMethodsThatAreNotThereAreRefused() throws Exception {
        assertThat(ask("GET", "/", "").statusCode()).isEqualTo(404);
        assertThat(ask("GET", "/livez/", "").statusCode()).isEqualTo(404);
        assertThat(ask("GET", "/livez?anything=1&anything=2", "").statusCode()).isEqualTo(200);
        HttpResponse<String> refused = ask("DELETE", "/livez", "");
        assertThat(refused.statusCode()).isEqualTo(405);
        assertThat(refused.headers().firstValue("Allow")).contains("GET, HEAD, POST");
        HttpResponse<String> head = ask("HEAD", "/readyz", "");
        assertThat(head.statusCode()).isEqualTo(200);
        assertThat(head.headers().firstValue("Content-Length")).contains("6");
        assertThat(head.body()).isEmpty();
        assertAlive();
    }

    @Test
    void answersHaveNothingThatABrowserCouldMisuse() throws Exception {
        HttpResponse<String> answer = ask("GET", "/%3Cscript%3E", "");
        assertThat(answer.statusCode()).isEqualTo(404);
        assertThat(answer.headers().firstValue("Content-Type")).contains("text/plain; charset=utf-8");
        assertThat(answer.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
        assertThat(answer.headers().firstValue("Cache-Control")).contains("no-store");
        assertThat(answer.headers().firstValue("Content-Security-Policy"))
                .contains("default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\0\0\0\u0012\0\u0012\0\0\0\0\0\1\0\4test\0\0\0\0\r\n\r\n",
                "GET\r\n\r\n",
                "GET /%zz HTTP/1.1\r\n\r\n",
                "GET /livez?a=%f HTTP/1.1\r\n\r\n",
                "POST /livez HTTP/1.1\r\nContent-Length: -5\r\n\r\n",
                "POST /livez HTTP/1.1\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n",
                "POST /livez HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n\r\n",
            })
    void whatIsNotARequestIsRefusedAndTheConnectionIsClosed(String sent) throws Exception {
        assertThat(afterSending(ascii(sent))).startsWith("HTTP/1.1 400 ");
        assertAlive();
    }

    @Test
    void headsAndBodiesThatAreTooLargeAreRefused() throws Exception {
        String head = "GET /livez HTTP/1.1\r\nX: " + "x".repeat(9000) + "\r\n\r\n";
        assertThat(afterSending(ascii(head))).startsWith("HTTP/1.1 400 ");
        assertThat(afterSending(ascii("GET /" + "x".repeat(5000) + " HTTP/1.1\r\n\r\n")))
                .startsWith("HTTP/1.1 400 ");
        assertThat(afterSending(ascii("POST /livez HTTP/1.1\r\nContent-Length: 70000\r\n\r\n")))
                .startsWith("HTTP/1.1 413 ");
        assertThat(afterSending(ascii("POST /livez HTTP/1.1\r\nContent-Length: 5\r\nConnection: close\r\n\r\nabcde")))
                .startsWith("HTTP/1.1 200 ");
        assertAlive();
    }

    @Test
    void requestsOfAConnectionAreAnsweredInOrderAndOneAtATime() throws Exception {
        String answers = afterSending(ascii("GET /livez HTTP/1.1\r\n\r\nGET /none HTTP/1.1\r\n\r\n".repeat(60)
                + "GET /readyz HTTP/1.1\r\nConnection: close\r\n\r\n"));
        assertThat(Pattern.compile("HTTP/1.1 (\\d+)").matcher(answers).results().map(match -> match.group(1)))
                .startsWith("200", "404", "200", "404")
                .endsWith("200", "404", "200")
                .hasSize(121);
    }

    /** A million requests, whose answers are not read: memory and the thread stay free for others. */
    @Test
    void aClientThatDoesNotReadItsAnswersWaitsAlone() throws Exception {
        byte[] many = ascii("GET /livez HTTP/1.1\r\n\r\n".repeat(1000));
        try (Socket socket = connect()) {
            Thread sender = new Thread(
                    () -> {
                        try {
                            for (int i = 0; i < 1000; i++) {
                                socket.getOutputStream().write(many);
                            }
                        } catch (IOException e) {
                            // The test has closed the socket.
                        }
                    },
                    "sender");
            sender.setDaemon(true);
            sender.start();
            Awaitility.await()
                    .atMost(Clients.PATIENCE)
                    .until(() -> socket.getInputStream().available() > 0);
            for (int i = 0; i < 20; i++) {
                assertAlive();
            }
        }
    }

    @Test
    void connectionsThatAreOnlyHeldOpenKeepNoProbeAway() throws Exception {
        int port = URI.create(broker.httpAddress()).getPort();
        try (Sockets idle = new Sockets(port).open(300)) {
            Awaitility.await().atMost(Clients.PATIENCE).until(() -> idle.closedByBroker() >= 44);
            assertThat(idle.closedByBroker()).isEqualTo(44);
            idle.writeAsFarAsTaken(ByteBuffer.wrap(ascii("GET /livez HTTP/1.1\r\nX: ")), 10);
            for (int i = 0; i < 20; i++) {
                assertAlive();
            }
        }
    }

    @Test
    void aPortThatWasChosenAndIsInUseStopsTheStart() throws Exception {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getByName("localhost"))) {
            String place = "localhost:" + other.getLocalPort();
            assertThatThrownBy(() -> EmbeddedBroker.inMemoryOrTemp()
                            .with("rivulet.transport", TestBroker.TRANSPORT)
                            .with("rivulet.http.listener", place)
                            .start())
                    .hasMessageContaining("can't listen on " + place);
        }
    }

    @Test
    void endlessInputIsNeitherKeptNorAnswered() throws Exception {
        try (Socket socket = connect();
                InputStream in = socket.getInputStream()) {
            byte[] chunk = ascii("400\r\n" + "x".repeat(1024) + "\r\n");
            socket.getOutputStream()
                    .write(ascii("POST /livez HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"));
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 1_000_000; i++) {
                            socket.getOutputStream().write(chunk);
                            if (in.available() > 0) {
                                throw new IOException(
                                        new String(in.readNBytes(in.available()), StandardCharsets.US_ASCII));
                            }
                        }
                    })
                    .isInstanceOf(IOException.class);
        }
        assertAlive();
    }
}
