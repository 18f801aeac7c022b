package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

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

/** Kafka's own command line tools, one after the other in one process. */
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

    private final Path scratch;
    private final String servers;
    private final Process process;
    private final DataOutputStream toTools;
    private final DataInputStream fromTools;

    KafkaTools(Path scratch, String servers) throws IOException {
        this.scratch = scratch;
        this.servers = servers;
        List<String> command = new ArrayList<>(JAVA);
        command.add(RUNNER.toString());
        process = new ProcessBuilder(command)
                .directory(scratch.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        toTools = new DataOutputStream(process.getOutputStream());
        fromTools = new DataInputStream(process.getInputStream());
    }

    /** Runs a tool, which must succeed. Returns its output. Adds the servers before the arguments. */
    String run(String tool, String arguments) throws IOException, InterruptedException {
        return runWithInput("", tool, arguments);
    }

    String runWithInput(String input, String tool, String arguments) throws IOException, InterruptedException {
        Programs.Outcome outcome = attempt(input, tool, arguments);
        assertThat(outcome.exitCode()).as("%s says %s", tool, outcome).isZero();
        return outcome.out();
    }

    Programs.Outcome attempt(String input, String tool, String arguments) throws IOException, InterruptedException {
        List<String> words = words(tool, arguments);
        toTools.write(words.size());
        for (String word : words) {
            toTools.writeUTF(word);
        }
        toTools.writeUTF(input);
        toTools.flush();
        try {
            return CompletableFuture.supplyAsync(this::outcome).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException | ExecutionException e) {
            process.destroyForcibly();
            throw new AssertionError("no response from " + words, e);
        }
    }

    /** Runs a tool in its own process, because it finishes its work in a shutdown hook. */
    String runAlone(String tool, String arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(JAVA);
        command.addAll(words(tool, arguments));
        Programs.Outcome outcome = Programs.run(scratch, command.toArray(new String[0]));
        assertThat(outcome.exitCode()).as("%s says %s", tool, outcome).isZero();
        return outcome.out();
    }

    private List<String> words(String tool, String arguments) {
        String name = tool.startsWith("kafka.") ? tool : "org.apache.kafka.tools." + tool;
        return List.of((name + " --bootstrap-server " + servers + " " + arguments)
                .trim()
                .split("\\s+", -1));
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
