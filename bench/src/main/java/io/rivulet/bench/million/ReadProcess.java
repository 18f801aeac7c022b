package io.rivulet.bench.million;

import io.rivulet.bench.Bench;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** A {@link ReadBack} in a process of its own, so that its garbage stops nobody whose latency is measured here. Stateless. */
final class ReadProcess {
    private ReadProcess() {}

    static ReadBack.Read run(int port, Layout layout, int messagesPerQueue, int from, int to, int messagesPerSecond)
            throws IOException, InterruptedException {
        Process reader = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx512m",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Bench.class.getName(),
                        "read-back",
                        "--port=" + port,
                        "--layout=" + layout,
                        "--messages-per-queue=" + messagesPerQueue,
                        "--from=" + from,
                        "--to=" + to,
                        "--messages-per-second=" + messagesPerSecond))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            String said = new String(reader.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            if (reader.waitFor() != 0) {
                throw new IOException("the reader failed; what it said stands above");
            }
            String[] figures = said.split(" ");
            return new ReadBack.Read(Long.parseLong(figures[0]), Double.parseDouble(figures[1]));
        } finally {
            reader.destroyForcibly();
        }
    }
}
