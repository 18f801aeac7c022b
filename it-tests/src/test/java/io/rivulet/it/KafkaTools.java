package io.rivulet.it;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Kafka's own command line tools, in a process beside the broker's that runs one after the other. */
final class KafkaTools implements AutoCloseable {
    private static final String LIBRARIES =
            Path.of("kafka-tools", "target", "lib").toAbsolutePath() + File.separator + "*";
    private static final int PATIENCE_SECONDS = 60;

    private final Process process;
    private final DataOutputStream toTools;
    private final DataInputStream fromTools;

    KafkaTools(Path scratch) throws IOException {
        process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        LIBRARIES,
                        Path.of("src", "test", "resources", "clients", "ToolRunner.java")
                                .toAbsolutePath()
                                .toString())
                .directory(scratch.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        toTools = new DataOutputStream(process.getOutputStream());
        fromTools = new DataInputStream(process.getInputStream());
    }

    /** @param command class of the tool and its arguments, separated by spaces */
    Programs.Outcome run(String command) throws IOException, InterruptedException {
        return runWithInput("", command);
    }

    Programs.Outcome runWithInput(String input, String command) throws IOException, InterruptedException {
        String[] words = command.trim().split("\\s+", -1);
        toTools.write(words.length);
        for (String word : words) {
            toTools.writeUTF(word);
        }
        toTools.writeUTF(input);
        toTools.flush();
        try {
            return CompletableFuture.supplyAsync(this::outcome).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException | ExecutionException e) {
            process.destroyForcibly();
            throw new AssertionError("no answer from " + command, e);
        }
    }

    private Programs.Outcome outcome() {
        try {
            return new Programs.Outcome(fromTools.readUnsignedByte(), text(), text());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String text() throws IOException {
        byte[] bytes = new byte[fromTools.readInt()];
        fromTools.readFully(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
