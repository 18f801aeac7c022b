package io.rivulet.broker.tool;

import io.rivulet.broker.client.BrokerConnection;
import io.rivulet.broker.client.ClientException;
import io.rivulet.broker.client.ClientSettings;
import io.rivulet.broker.json.JsonText;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.DescribeLogDirsRequest;
import io.rivulet.protocol.message.DescribeLogDirsResponse;
import io.rivulet.protocol.message.DescribeLogDirsResponse.DescribeLogDirsResult;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Sends the requests of the image's health check: ApiVersions, then DescribeLogDirs of no topic, which goes through the
 * thread that writes the log.
 *
 * <p>Owned by: the main thread.
 */
@Command(
        name = "health",
        mixinStandardHelpOptions = true,
        description = {
            "Check that a running broker and its store work: exit code 0 if they do, 1 if not.",
            "It is 1 if the store has failed, if the disk does not answer, or if no response arrives in time.",
        })
public final class HealthTool implements Callable<Integer> {
    /** The last version that needs no read thread: those may be busy for longer than a health check waits. */
    private static final int STORE_ALONE_VERSION = 3;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--bootstrap-server",
            paramLabel = "host:port",
            description = "the broker (default: ${DEFAULT-VALUE})",
            defaultValue = "localhost:9092")
    private String server;

    @Option(
            names = "--timeout-ms",
            paramLabel = "millis",
            description = "the longest time to wait (default: ${DEFAULT-VALUE})",
            defaultValue = "5000")
    private long timeoutMillis;

    @Option(
            names = "--command-config",
            paramLabel = "file",
            description = "keys of Kafka's clients for encryption and login: security.protocol, ssl.*, sasl.*")
    private @Nullable Path config;

    @Option(names = "--json", description = "print an object with healthy, server and reason")
    private boolean json;

    @Override
    public Integer call() throws InterruptedException {
        FutureTask<Void> asking = new FutureTask<>(this::ask, null);
        Thread asker = new Thread(asking, "health");
        asker.setDaemon(true);
        asker.start();
        try {
            asking.get(timeoutMillis, TimeUnit.MILLISECONDS);
            spec.commandLine().getOut().println(json ? document(true, null) : "healthy: " + server);
            return 0;
        } catch (TimeoutException e) {
            return unhealthy("no response from " + server + " within " + timeoutMillis + " ms");
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            return unhealthy(String.valueOf(cause == null ? e : cause.getMessage()));
        }
    }

    private String document(boolean healthy, @Nullable String reason) {
        return JsonText.of(JsonText.object("healthy", healthy, "server", server, "reason", reason));
    }

    private int unhealthy(String reason) {
        if (json) {
            spec.commandLine().getOut().println(document(false, reason));
        } else {
            spec.commandLine().getErr().println("unhealthy: " + reason);
        }
        return 1;
    }

    private void ask() {
        try (BrokerConnection broker =
                BrokerConnection.to(server, config == null ? ClientSettings.PLAIN : ClientSettings.read(config))) {
            List<DescribeLogDirsResult> directories = broker.ask(
                            ApiKey.DESCRIBE_LOG_DIRS,
                            STORE_ALONE_VERSION,
                            new DescribeLogDirsRequest().topics(List.of()),
                            DescribeLogDirsResponse.class)
                    .results();
            if (directories.isEmpty()) {
                throw new ClientException(server + " has no data directory");
            }
            for (DescribeLogDirsResult directory : directories) {
                ClientException.require(directory.errorCode(), null, "checking the store in " + directory.logDir());
            }
        }
    }
}
