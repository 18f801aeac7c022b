package io.rivulet.it.streams;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.KeyQueryMetadata;
import org.apache.kafka.streams.StoreQueryParameters;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.state.QueryableStoreTypes;
import org.apache.kafka.streams.state.Stores;
import org.jspecify.annotations.Nullable;

/**
 * Counts the words of the topic words, whose keys are the words, in several instances of one application in this
 * process. Each has its own thread, directory and clients. Runs until it is killed.
 *
 * <p>The first argument is the number of instances, or the application.server of each, separated by commas. An instance
 * answers GET /count/WORD there: from its store if it has the partition of the word, or else with the answer of the
 * instance that has it. GET /local/WORD never asks another one. Each other argument is a setting, name=value.
 *
 * <p>Thread-safe.
 */
public final class WordCounts {
    private static final String STORE = "counted";
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final int OK = 200;
    private static final int NOT_HERE = 404;
    private static final int NOT_NOW = 503;

    private final KafkaStreams streams;
    private final String server;
    private final HttpClient client = HttpClient.newHttpClient();

    private WordCounts(KafkaStreams streams, String server) {
        this.streams = streams;
        this.server = server;
    }

    public static void main(String[] arguments) throws Exception {
        List<String> servers = servers(arguments[0]);
        CountDownLatch stopped = new CountDownLatch(1);
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        List<KafkaStreams> all = new ArrayList<>();
        for (int i = 0; i < servers.size(); i++) {
            Properties settings = settings(arguments, i);
            String server = servers.get(i);
            if (!server.isEmpty()) {
                settings.put("application.server", server);
            }
            KafkaStreams streams = new KafkaStreams(topology().build(), settings);
            streams.setStateListener((now, before) -> {
                if (now.hasCompletedShutdown()) {
                    stopped.countDown();
                }
            });
            streams.setUncaughtExceptionHandler(thrown -> {
                failure.compareAndSet(null, thrown);
                return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
            });
            all.add(streams);
            if (!server.isEmpty()) {
                new WordCounts(streams, server).serve();
            }
        }
        all.forEach(KafkaStreams::start);
        stopped.await();
        Throwable first = failure.get();
        if (first != null) {
            first.printStackTrace(); // at the end, where it is seen
        }
        System.exit(1);
    }

    /** One for each instance; empty for none. */
    private static List<String> servers(String argument) {
        return argument.contains(":")
                ? List.of(argument.split(",", -1))
                : Collections.nCopies(Integer.parseInt(argument), "");
    }

    private static Properties settings(String[] arguments, int instance) {
        Properties settings = new Properties();
        Arrays.stream(arguments)
                .skip(1)
                .map(argument -> argument.split("=", 2))
                .forEach(parts -> settings.setProperty(parts[0], parts[1]));
        settings.put("default.key.serde", Serdes.StringSerde.class);
        settings.put("default.value.serde", Serdes.StringSerde.class);
        settings.put("num.stream.threads", "1");
        settings.put("state.dir", settings.getProperty("state.dir") + "/" + instance);
        return settings;
    }

    private static StreamsBuilder topology() {
        StreamsBuilder builder = new StreamsBuilder();
        builder.<String, String>stream("words")
                .groupByKey()
                .count(Materialized.<String, Long>as(Stores.inMemoryKeyValueStore(STORE))
                        .withKeySerde(Serdes.String())
                        .withValueSerde(Serdes.Long()));
        return builder;
    }

    // ---- queries ----

    private void serve() throws IOException {
        int port = Integer.parseInt(server.substring(server.lastIndexOf(':') + 1));
        HttpServer http = HttpServer.create(new InetSocketAddress("localhost", port), 0);
        http.setExecutor(Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task, "queries");
            thread.setDaemon(true);
            return thread;
        }));
        http.createContext("/count/", exchange -> answer(exchange, true));
        http.createContext("/local/", exchange -> answer(exchange, false));
        http.start();
    }

    private void answer(HttpExchange exchange, boolean forwards) throws IOException {
        String path = exchange.getRequestURI().getPath();
        Answer answer = answer(path.substring(path.lastIndexOf('/') + 1), forwards);
        byte[] body = answer.text.getBytes(StandardCharsets.UTF_8);
        try (exchange) {
            exchange.sendResponseHeaders(answer.code, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private record Answer(int code, String text) {}

    private Answer answer(String word, boolean forwards) {
        try {
            KeyQueryMetadata place = streams.queryMetadataForKey(STORE, word, new StringSerializer());
            String owner = place.activeHost().host() + ":" + place.activeHost().port();
            if (owner.equals(server)) {
                return new Answer(OK, count(word));
            }
            if (!forwards || KeyQueryMetadata.NOT_AVAILABLE.equals(place)) {
                return new Answer(NOT_HERE, "at " + owner);
            }
            HttpResponse<String> other = client.send(
                    HttpRequest.newBuilder(URI.create("http://" + owner + "/local/" + word))
                            .timeout(PATIENCE)
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            return new Answer(other.statusCode(), other.body());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Answer(NOT_NOW, "interrupted");
        } catch (IOException | RuntimeException e) {
            return new Answer(NOT_NOW, e.toString());
        }
    }

    private String count(String word) {
        Long count = streams.store(
                        StoreQueryParameters.fromNameAndType(STORE, QueryableStoreTypes.<String, Long>keyValueStore()))
                .get(word);
        return count + " " + server;
    }
}
