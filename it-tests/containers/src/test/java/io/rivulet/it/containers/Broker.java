package io.rivulet.it.containers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A container of Rivulet's image. Closing it removes it and its anonymous volumes. */
final class Broker implements AutoCloseable {
    private static final String READY = "[KafkaServer id=";

    private final String id;
    private final int port;

    private Broker(String id, int port) {
        this.id = id;
        this.port = port;
    }

    /** Returns a port that is free now. */
    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    /** @param options of docker run; port 9092 is advertised and published as a free port */
    static Broker run(String... options) throws IOException {
        int port = freePort();
        List<String> all = new ArrayList<>(List.of(
                "-p",
                "127.0.0.1:" + port + ":9092",
                "-e",
                "KAFKA_ADVERTISED_LISTENERS=PLAINTEXT://localhost:" + port,
                "-e",
                "KAFKA_LISTENERS=PLAINTEXT://:9092"));
        all.addAll(List.of(options));
        return new Broker(start(all), port);
    }

    /** Runs a container with these options only, and publishes no port. */
    static Broker runBare(String... options) {
        return new Broker(start(List.of(options)), 0);
    }

    /** A container that runs already, and publishes no port. */
    static Broker of(String id) {
        return new Broker(id, 0);
    }

    private static String start(List<String> options) {
        List<String> command = new ArrayList<>(List.of("docker", "run", "-d"));
        command.addAll(options);
        command.add(Image.require());
        return Shell.run(command.toArray(String[]::new)).strip();
    }

    String servers() {
        return "localhost:" + port;
    }

    /** Waits for the line that says so. It asks once: each question to the engine costs as much as a small program. */
    Broker awaitReady() {
        StringBuilder log = new StringBuilder();
        try {
            Process follower = new ProcessBuilder("docker", "logs", "--follow", id)
                    .redirectErrorStream(true)
                    .start();
            CompletableFuture<Void> overdue = CompletableFuture.runAsync(
                    follower::destroyForcibly, CompletableFuture.delayedExecutor(1, TimeUnit.MINUTES));
            try (BufferedReader lines = follower.inputReader(StandardCharsets.UTF_8)) {
                String line = lines.readLine();
                while (line != null && !line.contains(READY)) {
                    log.append(line).append('\n');
                    line = lines.readLine();
                }
                assertThat(line).as("%s", log).isNotNull();
            } finally {
                follower.destroyForcibly();
                overdue.cancel(false);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(log.toString(), e);
        }
        return this;
    }

    String log() {
        return Shell.run("docker", "logs", id);
    }

    String inspect(String format) {
        return Shell.run("docker", "inspect", "--format", format, id).strip();
    }

    String exec(String... command) {
        List<String> all = new ArrayList<>(List.of("docker", "exec", id));
        all.addAll(List.of(command));
        return Shell.run(all.toArray(String[]::new));
    }

    void stop() {
        Shell.run("docker", "stop", "-t", "30", id);
    }

    @Override
    public void close() {
        Shell.run("docker", "rm", "-fv", id);
    }
}
