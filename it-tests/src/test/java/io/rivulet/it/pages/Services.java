package io.rivulet.it.pages;

import io.rivulet.it.Programs;
import io.rivulet.it.ServerProcess;
import io.rivulet.store.faults.Ports;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The servers that a page expects on this machine, each on a free port. A page names them by their usual ports. Owned
 * by: one thread.
 */
final class Services implements Closeable {
    private static final Pattern ADDRESS = Pattern.compile("\\blocalhost:(\\d+)\\b");
    private static final Pattern NUMBER = Pattern.compile("\\b\\d+\\b");
    private static final Path LAUNCHER =
            Path.of("..", "bin", "rivulet").toAbsolutePath().normalize();
    private static final String RIVULET_PORT = "9092";
    private static final String KAFKA_PORT = "19092";
    private static final String POSTGRES_PORT = "5432";

    /** With this command, the page starts the broker itself. */
    private static final String OWN_START = "bin/rivulet start";

    private final Path scratch;
    private final Path folder;
    private final String markdown;
    private final Map<String, String> ports = new LinkedHashMap<>();
    private final Deque<Closeable> running = new ArrayDeque<>();

    /**
     * Starts nothing yet.
     *
     * @param scratch for the files of the servers
     * @param folder where the reader of the page works
     */
    Services(String markdown, Path scratch, Path folder) {
        this.markdown = markdown;
        this.scratch = scratch;
        this.folder = folder;
    }

    /** Starts the servers of the page, and waits until they are ready. */
    void start() throws Exception {
        Matcher address = ADDRESS.matcher(markdown);
        while (address.find()) {
            String port = address.group(1);
            if (!ports.containsKey(port)) {
                ports.put(port, String.valueOf(start(port)));
            }
        }
        writeLauncher();
    }

    private int start(String port) throws Exception {
        int free = Ports.free();
        Path home = Files.createDirectories(scratch.resolve("server-" + port));
        switch (port) {
            case RIVULET_PORT -> {
                if (!markdown.contains(OWN_START)) {
                    ServerProcess server =
                            ServerProcess.start(home, "--override=listeners=PLAINTEXT://localhost:" + free);
                    running.push(server::close);
                    server.awaitReady();
                }
            }
            case KAFKA_PORT -> {
                KafkaServer server = new KafkaServer(home, free);
                running.push(server);
                server.awaitReady();
            }
            case POSTGRES_PORT -> running.push(new Postgres(home, free));
            default -> {
                // of a server that the page starts
            }
        }
        return free;
    }

    /** The page with the ports of these servers. */
    String adapt() {
        return NUMBER.matcher(markdown).replaceAll(number -> ports.getOrDefault(number.group(), number.group()));
    }

    /** Has the folder with the command rivulet first in its path. */
    Map<String, String> environment() {
        return Map.of("PATH", scratch.resolve("bin") + ":" + System.getenv("PATH"));
    }

    /** The launcher of the checkout. It starts a broker on the free port. */
    private void writeLauncher() throws IOException {
        Path launcher = Files.createDirectories(scratch.resolve("bin")).resolve("rivulet");
        Files.writeString(launcher, """
                #!/bin/sh
                if [ "$1" = start ]; then
                    shift
                    exec '%s' start --override=listeners=PLAINTEXT://localhost:%s "$@"
                fi
                exec '%s' "$@"
                """.formatted(LAUNCHER, ports.getOrDefault(RIVULET_PORT, "0"), LAUNCHER));
        Programs.require(launcher.toFile().setExecutable(true), launcher + " can be executable");
        if (markdown.contains(OWN_START)) {
            Files.createSymbolicLink(folder.resolve("bin"), launcher.getParent());
        }
    }

    @Override
    public void close() throws IOException {
        while (!running.isEmpty()) {
            running.pop().close();
        }
    }
}
