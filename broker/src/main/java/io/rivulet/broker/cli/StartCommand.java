package io.rivulet.broker.cli;

import io.rivulet.broker.config.BrokerConfig;
import io.rivulet.broker.config.ConfigException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "start",
        mixinStandardHelpOptions = true,
        description = {
            "Run the broker until SIGTERM or Ctrl-C.",
            "Without a file it listens on localhost:9092 and keeps its data in ./rivulet-data.",
            "'rivulet config --describe' lists all keys.",
        })
final class StartCommand implements Callable<Integer> {
    private static final String ADD_SCRAM = "rivulet.add.scram";

    @Spec
    private CommandSpec spec;

    @Parameters(
            arity = "0..1",
            paramLabel = "server.properties",
            description = "configuration file, with the format and the keys of Kafka's")
    private @Nullable Path file;

    @Option(
            names = "--override",
            paramLabel = "key=value",
            description = "set a key; wins over the file; may be repeated")
    private Map<String, String> overrides = new HashMap<>();

    @Option(
            names = "--add-scram",
            paramLabel = "SCRAM-SHA-256=[name=alice,password=secret]",
            description = "make a user if it does not exist; may be repeated; as kafka-storage does")
    private List<String> users = List.of();

    @Override
    public Integer call() {
        if (!users.isEmpty()) {
            overrides.merge(ADD_SCRAM, String.join("\n", users), (given, more) -> given + "\n" + more);
        }
        return serve(
                file, overrides, spec.commandLine().getOut(), spec.commandLine().getErr());
    }

    static int serve(@Nullable Path file, Map<String, String> overrides, PrintWriter out, PrintWriter err) {
        long startedNanos = System.nanoTime();
        try {
            Map<String, String> properties = new HashMap<>(file == null ? Map.of() : PropertiesFile.read(file));
            properties.putAll(overrides);
            LogOutput.STANDARD_ERROR.use(LogFormat.of(properties));
            return BrokerProcess.untilSignal(BrokerConfig.of(properties), startedNanos, out, err);
        } catch (ConfigException | IOException e) {
            return BrokerProcess.cannotStart(err, e);
        }
    }
}
