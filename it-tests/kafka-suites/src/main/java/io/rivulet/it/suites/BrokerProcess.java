package io.rivulet.it.suites;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.test.TestUtils;

/**
 * One process of Rivulet. Its log is a file in {@code target/brokers}, which stays after the process has ended.
 *
 * <p>Owned by: the thread of the test.
 */
final class BrokerProcess {
    /** Another jar shows whether a failure is older than a change. */
    private static final Path JAR = Path.of(System.getProperty("rivulet.jar", "../../broker/target/rivulet.jar"));

    private static final Path LOGS = Path.of("target", "brokers");

    /** Tests set them for their servers: the file with the users, and where keys for tokens may be. */
    private static final List<String> PASSED_ON =
            List.of("java.security.auth.login.config", "org.apache.kafka.sasl.oauthbearer.allowed.urls");

    private static final long PATIENCE_MILLIS = 30_000;

    private final Process process;
    private final Path log;

    private BrokerProcess(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /**
     * Returns when the broker is ready.
     *
     * @param scramUsers that are made at the start
     */
    static BrokerProcess start(Map<String, String> properties, List<String> scramUsers) {
        try {
            Files.createDirectories(LOGS);
            Path log = Files.createTempFile(LOGS, "broker", ".log");
            Process process = new ProcessBuilder(command(properties, scramUsers))
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            BrokerProcess broker = new BrokerProcess(process, log);
            broker.awaitReady();
            return broker;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static List<String> command(Map<String, String> properties, List<String> scramUsers) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                // Most of these processes live for a few seconds.
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                // if it is there, and of this jar and this Java
                "-XX:SharedArchiveFile=" + JAR.toAbsolutePath().normalize().resolveSibling("tests.jsa"),
                "-Xlog:cds*=off",
                "-Xlog:class+path=off"));
        for (String key : PASSED_ON) {
            String value = System.getProperty(key);
            if (value != null) {
                command.add("-D" + key + "=" + value);
            }
        }
        command.addAll(List.of("-jar", JAR.toAbsolutePath().normalize().toString(), "start"));
        scramUsers.forEach(user -> command.add("--add-scram=" + user));
        properties.forEach((key, value) -> command.addAll(List.of("--override", key + "=" + value)));
        return command;
    }

    /** Starts no thread: Kafka's framework fails a test that leaves one behind. */
    private void awaitReady() throws IOException, InterruptedException {
        TestUtils.waitForCondition(
                () -> !isAlive() || Files.readString(log).contains(" is ready on "),
                PATIENCE_MILLIS,
                () -> "Rivulet should start: " + log);
        if (!isAlive()) {
            throw new IllegalStateException("Rivulet did not start: " + Files.readString(log));
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    boolean hasLogged(String text) {
        try {
            return Files.readString(log).contains(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Stops the broker in the regular way. */
    void stop() {
        process.destroy();
        try {
            if (!process.waitFor(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException("Rivulet did not stop in " + PATIENCE_MILLIS + " ms, see " + log);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            process.destroyForcibly();
        }
    }
}
