package io.rivulet.broker.tool;

import io.rivulet.broker.client.BrokerConnection;
import io.rivulet.broker.client.ClientException;
import io.rivulet.broker.client.ClientSettings;
import io.rivulet.broker.json.PlainText;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The base of all tools: connects to a broker and prints failures. Owned by the main thread. */
@Command(mixinStandardHelpOptions = true)
abstract class Tool implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(
            names = "--bootstrap-server",
            paramLabel = "host:port",
            description = "the broker; of several addresses, the first that answers")
    private @Nullable String servers;

    @Option(
            names = {"--command-config", "--consumer.config", "--producer.config"},
            paramLabel = "file",
            description = "keys of Kafka's clients for encryption and login: security.protocol, ssl.*, sasl.*")
    private @Nullable Path config;

    @Override
    public final Integer call() throws IOException {
        try (BrokerConnection broker = BrokerConnection.to(required(servers(), "--bootstrap-server"), settings())) {
            run(broker, out());
            return 0;
        } catch (ClientException e) {
            out().flush();
            spec.commandLine().getErr().println("Error: " + PlainText.of(String.valueOf(e.getMessage())));
            return 1;
        } finally {
            out().flush();
        }
    }

    private ClientSettings settings() {
        return config == null ? ClientSettings.PLAIN : ClientSettings.read(config);
    }

    /** The addresses of the broker. */
    @Nullable
    String servers() {
        return servers;
    }

    abstract void run(BrokerConnection broker, PrintWriter out) throws IOException;

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }

    /** An error in the options; prints the usage. */
    final ParameterException misused(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    final long number(String option, String value) {
        try {
            return Long.parseLong(value);
        } catch (NumberFormatException e) {
            throw misused(option + " " + value + " is not allowed: use earliest, latest or a number");
        }
    }

    final String required(@Nullable String value, String option) {
        if (value == null) {
            throw misused("Missing required option: '" + option + "'");
        }
        return value;
    }
}
