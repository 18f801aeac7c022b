package io.rivulet.it;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;

/** Asks for pages of a broker, as a probe does. Thread-safe. */
final class HttpPage {
    private static final HttpClient CLIENT = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Clients.PATIENCE)
            .build();

    private HttpPage() {}

    record Answer(int status, String body) {}

    static Answer get(String address) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(address))
                .timeout(Clients.PATIENCE)
                .build();
        HttpResponse<String> response = CLIENT.send(request, BodyHandlers.ofString());
        return new Answer(response.statusCode(), response.body());
    }
}
