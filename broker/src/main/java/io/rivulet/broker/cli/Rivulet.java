package io.rivulet.broker.cli;

import io.rivulet.broker.tool.AclsTool;
import io.rivulet.broker.tool.ApiVersionsTool;
import io.rivulet.broker.tool.ClusterTool;
import io.rivulet.broker.tool.ConfigsTool;
import io.rivulet.broker.tool.ConsoleConsumerTool;
import io.rivulet.broker.tool.ConsoleProducerTool;
import io.rivulet.broker.tool.ConsumerGroupsTool;
import io.rivulet.broker.tool.ConsumerPerfTool;
import io.rivulet.broker.tool.DeleteRecordsTool;
import io.rivulet.broker.tool.EndToEndLatencyTool;
import io.rivulet.broker.tool.FeaturesTool;
import io.rivulet.broker.tool.GetOffsetsTool;
import io.rivulet.broker.tool.GroupsTool;
import io.rivulet.broker.tool.HealthTool;
import io.rivulet.broker.tool.LeaderElectionTool;
import io.rivulet.broker.tool.LogDirsTool;
import io.rivulet.broker.tool.MetadataQuorumTool;
import io.rivulet.broker.tool.ProducerPerfTool;
import io.rivulet.broker.tool.ReassignPartitionsTool;
import io.rivulet.broker.tool.ShareGroupsTool;
import io.rivulet.broker.tool.StreamsGroupsTool;
import io.rivulet.broker.tool.StreamsResetTool;
import io.rivulet.broker.tool.TopicsTool;
import io.rivulet.broker.tool.TransactionsTool;
import io.rivulet.broker.top.TopTool;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Entry point of {@code bin/rivulet}. */
@Command(
        name = "rivulet",
        description = "A Kafka-compatible broker that carries a million queues on one small machine.",
        mixinStandardHelpOptions = true,
        versionProvider = BuildInfo.class,
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands:%n",
        optionListHeading = "%nOptions:%n",
        footer = {
            "",
            "'rivulet COMMAND --help' describes a command, 'rivulet config --describe' the configuration.",
            "'rivulet bench' runs benchmarks, 'rivulet prove' checks what is promised; each is built on first use,",
            "and has its own --help.",
            "RIVULET_OPTS has options for the JVM, such as -Xmx512m. RIVULET_LOG_LEVEL has the log level:",
            "TRACE, DEBUG, INFO (default), WARN, ERROR or OFF.",
        })
public final class Rivulet {
    private static final List<Class<?>> COMMANDS = List.of(
            StartCommand.class,
            ContainerCommand.class,
            ConfigCommand.class,
            InspectCommand.class,
            TopicsTool.class,
            ConsoleProducerTool.class,
            ConsoleConsumerTool.class,
            ConsumerGroupsTool.class,
            ShareGroupsTool.class,
            StreamsGroupsTool.class,
            ConfigsTool.class,
            GetOffsetsTool.class,
            ApiVersionsTool.class,
            GroupsTool.class,
            DeleteRecordsTool.class,
            TransactionsTool.class,
            ClusterTool.class,
            FeaturesTool.class,
            MetadataQuorumTool.class,
            LogDirsTool.class,
            LeaderElectionTool.class,
            ReassignPartitionsTool.class,
            AclsTool.class,
            StreamsResetTool.class,
            ProducerPerfTool.class,
            ConsumerPerfTool.class,
            EndToEndLatencyTool.class,
            HealthTool.class,
            TopTool.class,
            ExerciseCommand.class,
            VersionCommand.class,
            CompletionCommand.class,
            ManCommand.class,
            CommandLine.HelpCommand.class);

    private static final String LEAK_DETECTION = "io.netty.leakDetection.level";

    private Rivulet() {}

    public static void main(String[] args) {
        disableLeakDetection();
        CommandLineLogging.use();
        System.exit(run(args));
    }

    private static int run(String[] args) {
        PlainStart start = PlainStart.of(args);
        if (start != null) {
            return StartCommand.serve(start.file(), start.overrides(), writer(System.out), writer(System.err));
        }
        if (args.length == 1 && args[0].equals("container")) {
            return ContainerCommand.serve(Path.of(ContainerCommand.MOUNTED), writer(System.out), writer(System.err));
        }
        return commandLine(args.length == 0 ? "" : args[0]).execute(args);
    }

    @SuppressWarnings("DefaultCharset") // the charset of the stream
    private static PrintWriter writer(PrintStream stream) {
        return new PrintWriter(stream, true);
    }

    /** By default Netty tracks one buffer in 128 with stack traces. Tests track each buffer. */
    private static void disableLeakDetection() {
        if (System.getProperty(LEAK_DETECTION) == null) {
            System.setProperty(LEAK_DETECTION, "disabled");
        }
    }

    /** Has only the named command if there is one, else all: reflection on all of them would slow down each start. */
    public static CommandLine commandLine(String name) {
        CommandLine line = new CommandLine(new Rivulet());
        List<Class<?>> named =
                COMMANDS.stream().filter(command -> isNamed(command, name)).toList();
        (named.isEmpty() ? COMMANDS : named).forEach(line::addSubcommand);
        return line;
    }

    private static boolean isNamed(Class<?> command, String name) {
        return command != CommandLine.HelpCommand.class
                && command.getAnnotation(Command.class).name().equals(name);
    }
}
