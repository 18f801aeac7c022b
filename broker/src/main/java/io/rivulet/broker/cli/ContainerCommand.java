package io.rivulet.broker.cli;

import io.rivulet.broker.config.BrokerConfig;
import io.rivulet.broker.config.ConfigException;
import io.rivulet.broker.container.BitnamiVariables;
import io.rivulet.broker.container.ContainerProperties;
import io.rivulet.broker.container.ReadyLines;
import io.rivulet.broker.container.SecretFiles;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
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
            "Variables of Bitnami's image are understood: KAFKA_CFG_NUM_PARTITIONS=3 does the same.",
            "'rivulet config --describe' lists all keys and variables.",
        })
final class ContainerCommand implements Callable<Integer> {
    private static final Logger LOG = LoggerFactory.getLogger(ContainerCommand.class);

    private static final Path ROOT = Path.of("/");
    private static final Path MOUNTS = Path.of("/proc/self/mountinfo");
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
            BitnamiVariables variables = BitnamiVariables.translate(System.getenv(), ROOT);
            Map<String, String> properties = ContainerProperties.resolve(
                    variables.environment(), mounted(file), Runtime.getRuntime().maxMemory());
            properties.putAll(SecretFiles.resolve(variables.environment(), SecretFiles.FOLDER));
            LogOutput.STANDARD_ERROR.use(LogFormat.of(properties));
            if (!variables.withoutEffect().isEmpty()) {
                LOG.warn(
                        "These variables of Bitnami's image have no effect: {}. docs/BITNAMI.md says why",
                        String.join(", ", new TreeSet<>(variables.withoutEffect())));
            }
            BrokerConfig config = BrokerConfig.of(properties);
            BitnamiVariables.requireAllowed(config, variables.environment());
            return BrokerProcess.untilSignal(config, startedNanos, out, err, ReadyLines.of(config.nodeId()));
        } catch (ConfigException | IOException e) {
            return BrokerProcess.cannotStart(err, e);
        }
    }

    /** The properties of the mounted file, and the data directory that a mounted volume shows. */
    private static Map<String, String> mounted(Path file) throws IOException {
        Path bitnami = BitnamiVariables.mountedFile(System.getenv(), ROOT);
        Path found = Files.exists(file) || bitnami == null ? file : bitnami;
        Map<String, String> properties = new HashMap<>();
        String data = BitnamiVariables.dataDirectory(MOUNTS);
        if (data != null) {
            properties.put("log.dirs", data);
        }
        if (Files.exists(found)) {
            properties.putAll(PropertiesFile.read(found));
        }
        return properties;
    }
}
