package io.rivulet.bench.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Apache Kafka's broker and tools, which Maven fetches. Immutable. */
public record KafkaHome(Path libraries) {
    /** Fetches them if they are missing. */
    public static KafkaHome fetched() throws IOException, InterruptedException {
        KafkaHome home = new KafkaHome(Lab.inProject("bench/target/kafka/libs"));
        if (!Files.isDirectory(home.libraries)) {
            Process maven = new ProcessBuilder(
                            "mvn",
                            "-B",
                            "-ntp",
                            "-q",
                            "-f",
                            Lab.inProject("bench/kafka/pom.xml").toString(),
                            "package")
                    .inheritIO()
                    .start();
            if (maven.waitFor() != 0) {
                throw new IOException("Maven could not fetch Kafka; its output is above");
            }
        }
        return home;
    }

    /** Command that runs a class of Kafka with the options of Kafka's own scripts. */
    List<String> command(int heapMib, String mainClass, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + heapMib + "m",
                "-server",
                "-XX:+UseG1GC",
                "-XX:MaxGCPauseMillis=20",
                "-XX:InitiatingHeapOccupancyPercent=35",
                "-XX:+ExplicitGCInvokesConcurrent",
                "-Djava.awt.headless=true",
                "-cp",
                libraries + "/*",
                mainClass));
        command.addAll(List.of(arguments));
        return command;
    }
}
