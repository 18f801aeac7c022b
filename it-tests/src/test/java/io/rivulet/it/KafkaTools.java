package io.rivulet.it;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Kafka's own command line tools, in a process beside the broker's that runs one after the other. */
final class KafkaTools implements AutoCloseable {
    private static final Path RUNNER =
            Path.of("src", "test", "resources", "clients", "ToolRunner.java").toAbsolutePath();
    private static final List<String> JAVA = List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx256m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            Path.of("kafka-tools", "target", "lib").toAbsolutePath() + File.separator + "*");
    private static final int PATIENCE_SECONDS = 60;

    private final Process process;
    private final DataOutputStream toTools;
    private final DataInputStream fromTools;

    KafkaTools(Path scratch) throws IOException {
        List<String> command = new ArrayList<>(JAVA);
        command.add(RUNNER.toString());
        process = new ProcessBuilder(command)
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

    /** In a process for this one alone, for a tool that finishes its work in a shutdown hook of the JVM. */
    static Programs.Outcome runAlone(Path scratch, String command) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(JAVA);
        words.addAll(List.of(command.split(" ", -1)));
        return Programs.run(scratch, words.toArray(new String[0]));
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
