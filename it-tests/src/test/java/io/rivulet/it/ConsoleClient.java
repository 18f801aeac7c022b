package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.EmbeddedBroker;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Asks the console of a broker for data, as its page does. Thread-safe. */
record ConsoleClient(String address, @Nullable String login) {
    /** Trusts every certificate. */
    private static final HttpClient CLIENT = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Clients.PATIENCE)
            .sslContext(Certificates.context(null, () -> {}))
            .build();

    static ConsoleClient of(EmbeddedBroker broker) {
        return new ConsoleClient(broker.httpAddress() + "/console/api/", null);
    }

    /** The same console for a user. */
    ConsoleClient as(String user, String password) {
        return new ConsoleClient(address, basic(user, password));
    }

    static String basic(String user, String password) {
        return "Basic " + Base64.getEncoder().encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8));
    }

    static JsonNode json(String text) {
        return JsonMapper.shared().readTree(text);
    }

    /** This field of each row of an answer. */
    static List<String> names(JsonNode answer, String field) {
        return StreamSupport.stream(answer.get("rows").spliterator(), false)
                .map(row -> row.get(field).asString())
                .toList();
    }

    /** @param parameters names and values by turns */
    HttpResponse<String> ask(String name, Object... parameters) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(URI.create(address + name + "?" + encoded(parameters))));
    }

    int status(String name, Object... parameters) throws IOException, InterruptedException {
        return ask(name, parameters).statusCode();
    }

    JsonNode get(String name, Object... parameters) throws IOException, InterruptedException {
        HttpResponse<String> response = ask(name, parameters);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return json(response.body());
    }

    HttpResponse<String> tryChange(String name, Object... fields) throws IOException, InterruptedException {
        return tryRaw(name, encoded(fields));
    }

    HttpResponse<String> tryRaw(String name, String form) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(URI.create(address + name))
                .header("X-Rivulet-Token", get("broker").get("token").asString())
                .POST(BodyPublishers.ofString(form)));
    }

    JsonNode change(String name, Object... fields) throws IOException, InterruptedException {
        HttpResponse<String> response = tryChange(name, fields);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return json(response.body());
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        if (login != null) {
            request.header("Authorization", login);
        }
        return CLIENT.send(request.timeout(Clients.PATIENCE).build(), BodyHandlers.ofString());
    }

    private static String encoded(Object... parameters) {
        StringBuilder query = new StringBuilder();
        for (int i = 0; i < parameters.length; i += 2) {
            query.append(i == 0 ? "" : "&")
                    .append(parameters[i])
                    .append('=')
                    .append(URLEncoder.encode(String.valueOf(parameters[i + 1]), StandardCharsets.UTF_8));
        }
        return query.toString();
    }
}
