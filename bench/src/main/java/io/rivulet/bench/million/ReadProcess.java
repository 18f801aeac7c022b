package io.rivulet.bench.million;

import io.rivulet.bench.Bench;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * A {@link ReadBack} in its own process, so that its garbage collections do not stop the threads that measure. It runs
 * with the lowest priority ({@code nice}), because it stands for readers on other machines. Owned by: one thread.
 */
final class ReadProcess implements AutoCloseable {
    private final Process reader;
    private final BufferedWriter questions;
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
        questions = reader.outputWriter();
        answers = reader.inputReader();
    }

    /** Reads all messages of the queues {@code [from, to)}, at no more than this rate. */
    ReadBack.Read read(int from, int to, int messagesPerSecond) throws IOException {
        questions.write(from + " " + to + " " + messagesPerSecond + "\n");
        questions.flush();
        String answer = answers.readLine();
        if (answer == null) {
            throw new IOException("the reading process failed; its output is above");
        }
        String[] figures = answer.split(" ");
        return new ReadBack.Read(Long.parseLong(figures[0]), Double.parseDouble(figures[1]));
    }

    @Override
    public void close() {
        reader.destroyForcibly();
    }
}
