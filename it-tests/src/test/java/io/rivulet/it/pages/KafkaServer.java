package io.rivulet.it.pages;

import io.rivulet.it.Clients;
import io.rivulet.store.faults.Ports;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.awaitility.Awaitility;

/** Apache Kafka, one node. Owned by: one thread. */
final class KafkaServer implements Closeable {
    private static final Path LIBRARIES =
            Path.of("kafka-tools", "target", "lib").toAbsolutePath();

    private final Path home;
    private final int port;
    private final Process process;

    KafkaServer(Path home, int port) throws IOException, InterruptedException {
        this.home = home;
        this.port = port;
        int controllerPort = Ports.free();
        Path settings = Files.writeString(home.resolve("server.properties"), """
                process.roles=broker,controller
                node.id=1
                listeners=PLAINTEXT://localhost:%d,CONTROLLER://localhost:%d
                controller.listener.names=CONTROLLER
                controller.quorum.voters=1@localhost:%d
                log.dirs=%s
                offsets.topic.replication.factor=1
                offsets.topic.num.partitions=1
                transaction.state.log.replication.factor=1
                transaction.state.log.min.isr=1
                """.formatted(
                        port, controllerPort, controllerPort, home.resolve("data")));
        Process format = start(
                "format",
                "kafka.tools.StorageTool",
                "format",
                "-t",
                "cGFnZXMtb2Yta2Fma2ExMQ",
                "-c",
                settings.toString());
        if (format.waitFor() != 0) {
            throw new AssertionError(Files.readString(home.resolve("format.log")));
        }
        process = start("server", "kafka.Kafka", settings.toString());
    }

    /** Waits until groups have their topic, as in a Kafka that is in use. */
    void awaitReady() {
        try (Admin admin = Clients.admin("localhost:" + port)) {
            Awaitility.await("start of Kafka in " + home)
                    .atMost(Clients.PATIENCE)
                    .ignoreExceptionsInstanceOf(ExecutionException.class)
                    .until(() -> admin.listConsumerGroupOffsets("first")
                            .partitionsToOffsetAndMetadata()
                            .get()
                            .isEmpty());
        }
    }

    private Process start(String name, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                LIBRARIES + File.separator + "*"));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .directory(home.toFile())
                .redirectErrorStream(true)
                .redirectOutput(home.resolve(name + ".log").toFile())
                .start();
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
