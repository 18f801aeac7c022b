package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.net.ssl.SSLSocket;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialDeletion;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where clients log in, the console asks for the same names and passwords. */
final class ConsoleLoginIT {
    @TempDir
    private static Path directory;

    private static SecureConsole console;

    @BeforeAll
    static void start() throws Exception {
        console = new SecureConsole(directory);
    }

    @AfterAll
    static void stop() throws IOException {
        console.close();
    }

    @Test
    void withoutAPasswordThereIsNothing() throws Exception {
        for (String page : new String[] {"broker", "topics", "state", "no-such-page"}) {
            HttpResponse<String> refused = console.client().ask(page);
            assertThat(refused.statusCode()).isEqualTo(401);
            assertThat(refused.headers().firstValue("WWW-Authenticate"))
                    .hasValue("Basic realm=\"Rivulet\", charset=\"UTF-8\"");
        }
        ConsoleClient files = new ConsoleClient(console.client().address().replace("/api/", "/"), null);
        assertThat(files.status("app.js")).isEqualTo(401);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Basic", "Basic !", "Basic cm9vdA==", "Bearer cm9vdDp4", "Basic Og==", "Basic \u00e9"})
    void whatIsNoLoginIsRefused(String header) throws Exception {
        ConsoleClient client = new ConsoleClient(console.client().address(), header.replace("\u00e9", "%"));
        assertThat(client.status("topics")).isEqualTo(401);
    }

    @Test
    void wrongPasswordsAndUnknownUsersAreRefused() throws Exception {
        console.password("dora", "right");
        assertThat(console.as("dora", "right").status("topics")).isEqualTo(200);
        for (ConsoleClient wrong : List.of(
                console.as("dora", "wrong"),
                console.as("dora", ""),
                console.as("dora", "right\0"),
                console.as("Dora", "right"),
                console.as(SecureConsole.ROOT, "right"),
                console.as("", ""),
                console.as("unknown", "right"))) {
            assertThat(wrong.status("topics")).isEqualTo(401);
        }
    }

    @Test
    void aNewPasswordEndsTheOldOneAndADeletedUserIsOut() throws Exception {
        console.password("erin", "first");
        assertThat(console.as("erin", "first").status("topics")).isEqualTo(200);
        assertThat(console.as("erin", "first").status("topics")).isEqualTo(200);
        console.password("erin", "second");
        assertThat(console.as("erin", "first").status("topics")).isEqualTo(401);
        assertThat(console.as("erin", "second").status("topics")).isEqualTo(200);
        console.admin()
                .alterUserScramCredentials(
                        List.of(new UserScramCredentialDeletion("erin", ScramMechanism.SCRAM_SHA_512)))
                .all()
                .get();
        assertThat(console.as("erin", "second").status("topics")).isEqualTo(401);
    }

    @Test
    void misledBrowsersAreRefusedBeforeTheyAreAsked() throws Exception {
        assertThat(raw("Host: attacker.example")).startsWith("HTTP/1.1 403 ");
        assertThat(raw("Host: localhost")).startsWith("HTTP/1.1 401 ");
        assertThat(raw(
                        "Host: localhost",
                        "Origin: https://attacker.example",
                        "Authorization: " + ConsoleClient.basic(SecureConsole.ROOT, SecureConsole.SECRET)))
                .startsWith("HTTP/1.1 403 ");
    }

    @Test
    void withoutTlsThereIsNoAnswer() throws Exception {
        try (Socket socket = new Socket("localhost", console.port())) {
            socket.setSoTimeout((int) Clients.PATIENCE.toMillis());
            SecureConsole.send(
                    socket,
                    "topics",
                    "Host: localhost",
                    "Authorization: " + ConsoleClient.basic(SecureConsole.ROOT, SecureConsole.SECRET));
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1))
                    .doesNotContain("HTTP");
        }
    }

    private static String raw(String... headers) throws IOException {
        try (SSLSocket socket = console.socket()) {
            SecureConsole.send(socket, "topics", headers);
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** Requests that are sent at once are answered one after another, also when they are encrypted. */
    @Test
    void requestsOfOneConnectionKeepTheirOrder() throws Exception {
        String login = "Host: localhost\r\nAuthorization: "
                + ConsoleClient.basic(SecureConsole.ROOT, SecureConsole.SECRET) + "\r\n";
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < 50; i++) {
            all.append("GET /console/api/topics?search=")
                    .append("o".repeat(i % 2))
                    .append(" HTTP/1.1\r\n");
            all.append(login).append(i == 49 ? "Connection: close\r\n" : "").append("\r\n");
        }
        try (SSLSocket socket = console.socket()) {
            socket.getOutputStream().write(all.toString().getBytes(StandardCharsets.UTF_8));
            String answers = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(answers.split("HTTP/1.1 200 OK", -1)).hasSize(51);
            assertThat(answers.split("\"count\":3,", -1)).hasSize(26);
        }
    }

    /** Many wrong passwords at once: some are not even checked, and a user who is in notices nothing. */
    @Test
    void guessesDoNotKeepUsersOut() throws Exception {
        console.password("fred", "right");
        ConsoleClient fred = console.as("fred", "right");
        assertThat(fred.status("topics")).isEqualTo(200);
        ExecutorService guessers = Executors.newFixedThreadPool(32);
        try {
            List<Future<Integer>> guesses = new ArrayList<>();
            for (int i = 0; i < 400; i++) {
                ConsoleClient guess = console.as("fred", "guess-" + i);
                guesses.add(guessers.submit(() -> guess.status("topics")));
            }
            for (int i = 0; i < 50; i++) {
                assertThat(fred.status("topics")).isEqualTo(200);
            }
            for (Future<Integer> guess : guesses) {
                assertThat(guess.get()).isIn(401, 503);
            }
            assertThat(console.as("fred", "wrong").status("topics")).isEqualTo(401);
        } finally {
            guessers.shutdownNow();
        }
    }
}
