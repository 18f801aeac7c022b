package io.rivulet.broker.tool;

import io.rivulet.broker.client.BrokerConnection;
import io.rivulet.broker.client.ClientException;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What the tools have in common: a broker to ask, and how a failure is told. Owned by the main thread. */
@Command(mixinStandardHelpOptions = true)
abstract class Tool implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(
            names = {"--bootstrap-server", "--broker-list"},
            required = true,
            paramLabel = "host:port",
            description = "the broker")
    private String servers;

    @Option(
            names = {"--command-config", "--consumer.config", "--producer.config"},
            paramLabel = "file",
            hidden = true,
            description = "not read: there is no security to configure")
    private @Nullable String ignored;

    @Override
    public final Integer call() throws IOException {
        try (BrokerConnection broker = BrokerConnection.to(servers)) {
            run(broker, out());
            return 0;
        } catch (ClientException e) {
            out().flush();
            spec.commandLine().getErr().println("Error: " + e.getMessage());
            return 1;
        } finally {
            out().flush();
        }
    }

    abstract void run(BrokerConnection broker, PrintWriter out) throws IOException;

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }

    /** For a combination of options that means nothing. */
    final ParameterException misused(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    final String required(@Nullable String value, String option) {
        if (value == null) {
            throw misused("Missing required option: '" + option + "'");
        }
        return value;
    }
}
