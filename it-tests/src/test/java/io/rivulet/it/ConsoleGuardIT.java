package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.EmbeddedBroker;
import io.rivulet.store.faults.Ports;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the pages of others, and browsers that they have misled, can make the console do: nothing. */
final class ConsoleGuardIT {
    private static EmbeddedBroker broker(String listener, String... more) {
        return start(EmbeddedBroker.inMemoryOrTemp().with("rivulet.http.listener", listener), more);
    }

    private static EmbeddedBroker start(EmbeddedBroker.Plan plan, String... settings) {
        for (int i = 0; i < settings.length; i += 2) {
            plan.with(settings[i], settings[i + 1]);
        }
        return plan.start();
    }

    private static String ask(int port, String line, String... headers) throws IOException {
        try (Socket socket = new Socket("localhost", port)) {
            socket.setSoTimeout((int) Clients.PATIENCE.toMillis());
            String request = line + " HTTP/1.1\r\nConnection: close\r\n" + String.join("\r\n", headers) + "\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static int port(EmbeddedBroker broker) {
        return URI.create(broker.httpAddress()).getPort();
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "LOCALHOST:1", "127.0.0.1:9644", "[::1]", "[::1]:9644", "console.example:80"})
    void hostsThatAreKnownAreAnswered(String host) throws IOException {
        try (EmbeddedBroker broker = broker("localhost:0", "rivulet.console.hosts", "other, Console.Example")) {
            assertThat(ask(port(broker), "GET /console/", "Host: " + host)).startsWith("HTTP/1.1 200 ");
            assertThat(ask(port(broker), "GET /console/api/topics", "Host: " + host))
                    .startsWith("HTTP/1.1 200 ");
        }
    }

    /** As when a name of an attacker resolves to this machine. */
    @Test
    void otherHostsAreRefused() throws IOException {
        try (EmbeddedBroker broker = broker("localhost:0")) {
            for (String host : new String[] {
                "Host: attacker.example",
                "Host: localhost.attacker.example",
                "Host: attacker.example:9644",
                "Host: ",
                "Host: 10.0.0.1",
                "Host: [::2]",
                "Host: localhost@attacker.example",
                "Host: localhost:80@attacker.example",
                "Host: localhost.",
                "Host: [::1]attacker.example",
                "X: y"
            }) {
                assertThat(ask(port(broker), "GET /console/", host)).as(host).startsWith("HTTP/1.1 403 ");
                assertThat(ask(port(broker), "GET /console/api/topics", host))
                        .as(host)
                        .startsWith("HTTP/1.1 403 ")
                        .doesNotContain("rows");
            }
            // Probes have any host.
            assertThat(ask(port(broker), "GET /livez", "Host: attacker.example"))
                    .startsWith("HTTP/1.1 200 ");
        }
    }

    @Test
    void pagesOfOtherOriginsGetNoData() throws IOException {
        try (EmbeddedBroker broker = broker("localhost:0")) {
            for (String site : new String[] {"cross-site", "same-site"}) {
                assertThat(ask(port(broker), "GET /console/api/topics", "Host: localhost", "Sec-Fetch-Site: " + site))
                        .startsWith("HTTP/1.1 403 ");
            }
            for (String site : new String[] {"same-origin", "none"}) {
                assertThat(ask(port(broker), "GET /console/api/topics", "Host: localhost", "Sec-Fetch-Site: " + site))
                        .startsWith("HTTP/1.1 200 ");
            }
            assertThat(ask(port(broker), "GET /console/", "Host: localhost", "Sec-Fetch-Site: cross-site"))
                    .startsWith("HTTP/1.1 200 ");
        }
    }

    @Test
    void anOriginThatIsNotTheHostIsRefused() throws IOException {
        try (EmbeddedBroker broker = broker("localhost:0", "rivulet.console.writes", "true")) {
            String host = "localhost:" + port(broker);
            for (String origin : new String[] {
                "null",
                "http://attacker.example",
                "http://localhost",
                "http://localhost:1",
                "https://" + host + ".x",
                ""
            }) {
                for (String method : new String[] {"GET", "POST"}) {
                    assertThat(ask(
                                    port(broker),
                                    method + " /console/api/topics",
                                    "Host: " + host,
                                    "Content-Length: 0",
                                    "Origin: " + origin))
                            .as(origin)
                            .startsWith("HTTP/1.1 403 ");
                }
            }
            assertThat(ask(port(broker), "GET /console/api/topics", "Host: " + host, "Origin: http://" + host))
                    .startsWith("HTTP/1.1 200 ");
        }
    }

    /** All changes, each with fields that would work. */
    private static final String[] CHANGES = {
        "produce?topic=t&partition=0&value=v",
        "replay?topic=t&partition=0&offset=0&to=t&toPartition=0",
        "topic-config?topic=t&name=retention.ms&value=1",
        "group-offset?id=g&topic=t&partition=0&offset=0",
        "group-delete?id=g"
    };

    private static String change(EmbeddedBroker broker, String change, String... headers) throws IOException {
        String[] parts = change.split("\\?", 2);
        String[] all = Arrays.copyOf(headers, headers.length + 2);
        all[headers.length] = "Host: localhost";
        all[headers.length + 1] = "Content-Length: " + parts[1].length() + "\r\n\r\n" + parts[1];
        return ask(port(broker), "POST /console/api/" + parts[0], all);
    }

    private static String token(EmbeddedBroker broker) throws Exception {
        return ConsoleClient.of(broker).get("broker").get("token").asString();
    }

    @Test
    void nothingCanBeChangedUnlessAllowed() throws IOException {
        try (EmbeddedBroker broker = broker("localhost:0")) {
            for (String change : CHANGES) {
                for (String token : new String[] {"", "null", "0".repeat(32)}) {
                    assertThat(change(broker, change, "X-Rivulet-Token: " + token))
                            .startsWith("HTTP/1.1 403 ")
                            .contains("rivulet.console.writes");
                }
            }
        }
    }

    @Test
    void aChangeNeedsTheTokenOfThisStart() throws Exception {
        String former;
        try (EmbeddedBroker broker = broker("localhost:0", "rivulet.console.writes", "true")) {
            former = token(broker);
        }
        try (EmbeddedBroker broker =
                broker("localhost:0", "rivulet.console.writes", "true", "rivulet.create.topics", "t:1")) {
            for (String change : CHANGES) {
                assertThat(change(broker, change)).startsWith("HTTP/1.1 403 ");
                assertThat(change(broker, change, "X-Rivulet-Token: ")).startsWith("HTTP/1.1 403 ");
                assertThat(change(broker, change, "X-Rivulet-Token: " + former)).startsWith("HTTP/1.1 403 ");
                assertThat(change(broker, change, "X-Rivulet-Token: " + token(broker), "Sec-Fetch-Site: cross-site"))
                        .startsWith("HTTP/1.1 403 ");
                assertThat(change(broker, change, "X-Rivulet-Token: " + token(broker), "Origin: http://a.example"))
                        .startsWith("HTTP/1.1 403 ");
            }
            assertThat(ConsoleClient.of(broker)
                            .get("partitions", "topic", "t")
                            .get("rows")
                            .get(0)
                            .get("end")
                            .asInt())
                    .isZero();
            assertThat(change(broker, CHANGES[0], "X-Rivulet-Token: " + token(broker)))
                    .startsWith("HTTP/1.1 200 ");
        }
    }

    /** The parameters of an address are none of a change: a link can carry them. */
    @Test
    void aGetChangesNothing() throws Exception {
        try (EmbeddedBroker broker =
                broker("localhost:0", "rivulet.console.writes", "true", "rivulet.create.topics", "t:1")) {
            for (String change : CHANGES) {
                assertThat(ask(
                                port(broker),
                                "GET /console/api/" + change,
                                "Host: localhost",
                                "X-Rivulet-Token: " + token(broker)))
                        .startsWith("HTTP/1.1 405 ");
            }
        }
    }

    @Test
    void filesCanOnlyBeRead() throws IOException {
        try (EmbeddedBroker broker = broker("localhost:0", "rivulet.console.writes", "true")) {
            for (String path : new String[] {"", "/", "/app.js"}) {
                assertThat(ask(port(broker), "POST /console" + path, "Host: localhost", "Content-Length: 0"))
                        .startsWith("HTTP/1.1 405 ");
            }
        }
    }

    @Test
    void aConsoleThatIsOffSaysSo() throws IOException {
        try (EmbeddedBroker broker = broker("localhost:0", "rivulet.console", "off")) {
            assertIsOff(broker);
        }
    }

    private static void assertIsOff(EmbeddedBroker broker) throws IOException {
        for (String path : new String[] {"", "/", "/app.js", "/api/topics"}) {
            assertThat(ask(port(broker), "GET /console" + path, "Host: localhost"))
                    .startsWith("HTTP/1.1 403 ")
                    .contains("rivulet.console=on");
        }
    }

    @Test
    void theConsoleIsOnUnlessAllClientsNeedACertificate() throws IOException {
        String[] encrypted = {"listeners", "SSL://localhost:0", "rivulet.tls", "self-signed"};
        String[] guarded = {
            "listeners", "SSL://localhost:0", "rivulet.tls", "self-signed", "ssl.client.auth", "required"
        };
        String[] mixed = {
            "listeners",
            "SSL://localhost:0,PLAINTEXT://localhost:0",
            "rivulet.tls",
            "self-signed",
            "ssl.client.auth",
            "required"
        };
        for (String[] settings : List.of(new String[0], encrypted, mixed)) {
            try (EmbeddedBroker broker = broker("localhost:0", settings)) {
                assertThat(ask(port(broker), "GET /console/", "Host: localhost"))
                        .startsWith("HTTP/1.1 200 ");
            }
        }
        try (EmbeddedBroker broker = broker("localhost:0", guarded)) {
            assertIsOff(broker);
        }
    }

    @Test
    void answersAreForThisPageAlone() throws IOException {
        try (EmbeddedBroker broker = broker("localhost:0")) {
            for (String path : new String[] {"/", "/app.js", "/api/topics", "/api/none"}) {
                assertThat(ask(port(broker), "GET /console" + path, "Host: localhost"))
                        .contains("Content-Security-Policy: default-src 'self'; frame-ancestors 'none'")
                        .containsIgnoringCase("cache-control: no-store")
                        .contains("X-Content-Type-Options: nosniff")
                        .doesNotContain("Access-Control");
            }
        }
    }

    @Test
    void aListenerForAllAddressesHasNoConsole() throws IOException {
        try (EmbeddedBroker broker = broker(":0")) {
            assertThat(ask(port(broker), "GET /console/", "Host: localhost"))
                    .startsWith("HTTP/1.1 403 ")
                    .contains("rivulet.console.listener");
            assertThat(ask(port(broker), "GET /console/api/topics", "Host: localhost"))
                    .startsWith("HTTP/1.1 403 ");
            assertThat(ask(port(broker), "GET /livez", "Host: localhost")).startsWith("HTTP/1.1 200 ");
        }
    }

    @Test
    void aListenerOfItsOwnHasTheConsoleAlone() throws IOException {
        int own = Ports.free();
        try (EmbeddedBroker broker = broker("localhost:0", "rivulet.console.listener", ":" + own)) {
            assertThat(ask(own, "GET /console/", "Host: localhost")).startsWith("HTTP/1.1 200 ");
            assertThat(ask(own, "GET /console/", "Host: attacker.example")).startsWith("HTTP/1.1 403 ");
            assertThat(ask(own, "GET /livez", "Host: localhost")).startsWith("HTTP/1.1 404 ");
            assertThat(ask(port(broker), "GET /console/", "Host: localhost")).startsWith("HTTP/1.1 403 ");
        }
    }
}
