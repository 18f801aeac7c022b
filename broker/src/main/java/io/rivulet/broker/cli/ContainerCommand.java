package io.rivulet.broker.cli;

import io.rivulet.broker.config.BrokerConfig;
import io.rivulet.broker.config.ConfigException;
import io.rivulet.broker.container.ContainerProperties;
import io.rivulet.broker.container.ReadyLines;
import io.rivulet.broker.container.SecretFiles;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "container",
        mixinStandardHelpOptions = true,
        description = {
            "Run the broker with the configuration of its image: environment variables, as in apache/kafka.",
            "KAFKA_NUM_PARTITIONS=3 sets num.partitions, for example. A variable wins over the file.",
            "KAFKA_CREATE_TOPICS=name:partitions:1,... creates topics before clients can connect.",
            "'rivulet config --describe' lists all keys and variables.",
        })
final class ContainerCommand implements Callable<Integer> {
    static final String MOUNTED = "/mnt/shared/config/server.properties";

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--config",
            paramLabel = "server.properties",
            description = "a file with more keys; ignored if it does not exist (default: ${DEFAULT-VALUE})",
            defaultValue = MOUNTED)
    private Path file;

    @Override
    public Integer call() {
        return serve(file, spec.commandLine().getOut(), spec.commandLine().getErr());
    }

    static int serve(Path file, PrintWriter out, PrintWriter err) {
        long startedNanos = System.nanoTime();
        try {
            Map<String, String> mounted = Files.exists(file) ? PropertiesFile.read(file) : Map.of();
            Map<String, String> properties = ContainerProperties.resolve(
                    System.getenv(), mounted, Runtime.getRuntime().maxMemory());
            properties.putAll(SecretFiles.resolve(System.getenv(), SecretFiles.FOLDER));
            LogOutput.STANDARD_ERROR.use(LogFormat.of(properties));
            BrokerConfig config = BrokerConfig.of(properties);
            return BrokerProcess.untilSignal(config, startedNanos, out, err, ReadyLines.of(config.nodeId()));
        } catch (ConfigException | IOException e) {
            return BrokerProcess.cannotStart(err, e);
        }
    }
}
