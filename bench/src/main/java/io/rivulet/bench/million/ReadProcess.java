package io.rivulet.bench.million;

import io.rivulet.bench.Bench;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * A {@link ReadBack} in a process of its own, so that its garbage stops nobody whose latency is measured here. It stands for readers on
 * other machines, so it gives way to all others ({@code nice}). Confined to one thread.
 */
final class ReadProcess implements AutoCloseable {
    private final Process reader;
    private final BufferedWriter asks;
    private final BufferedReader answers;

    ReadProcess(int port, Layout layout, int messagesPerQueue) throws IOException {
        reader = new ProcessBuilder(List.of(
                        "nice",
                        "-n",
                        "19",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx512m",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Bench.class.getName(),
                        "read-back",
                        "--port=" + port,
                        "--layout=" + layout,
                        "--messages-per-queue=" + messagesPerQueue))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        asks = reader.outputWriter();
        answers = reader.inputReader();
    }

    /** Reads these queues whole, at no more than so many messages a second. */
    ReadBack.Read read(int from, int to, int messagesPerSecond) throws IOException {
        asks.write(from + " " + to + " " + messagesPerSecond + "\n");
        asks.flush();
        String said = answers.readLine();
        if (said == null) {
            throw new IOException("the reader failed; what it said stands above");
        }
        String[] figures = said.split(" ");
        return new ReadBack.Read(Long.parseLong(figures[0]), Double.parseDouble(figures[1]));
    }

    @Override
    public void close() {
        reader.destroyForcibly();
    }
}
