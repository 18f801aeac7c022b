package io.rivulet.broker.cli;

import io.rivulet.broker.tool.ApiVersionsTool;
import io.rivulet.broker.tool.ConfigsTool;
import io.rivulet.broker.tool.ConsoleConsumerTool;
import io.rivulet.broker.tool.ConsoleProducerTool;
import io.rivulet.broker.tool.ConsumerGroupsTool;
import io.rivulet.broker.tool.GetOffsetsTool;
import io.rivulet.broker.tool.HealthTool;
import io.rivulet.broker.tool.TopicsTool;
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
            "'rivulet COMMAND --help' tells more of a command.",
            "'rivulet bench' measures; it is built on first use and has its own --help.",
            "RIVULET_OPTS holds options for the Java virtual machine, RIVULET_LOG_LEVEL the log level.",
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
            ConfigsTool.class,
            GetOffsetsTool.class,
            ApiVersionsTool.class,
            HealthTool.class,
            ExerciseCommand.class,
            VersionCommand.class,
            CommandLine.HelpCommand.class);

    private static final String LEAK_DETECTION = "io.netty.leakDetection.level";

    private Rivulet() {}

    public static void main(String[] args) {
        lookForNoLeaks();
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

    @SuppressWarnings("DefaultCharset") // that of the stream
    private static PrintWriter writer(PrintStream stream) {
        return new PrintWriter(stream, true);
    }

    /** Netty follows one buffer in 128 all its way, with a stack trace, unless told not to. Tests follow each of them. */
    private static void lookForNoLeaks() {
        if (System.getProperty(LEAK_DETECTION) == null) {
            System.setProperty(LEAK_DETECTION, "disabled");
        }
    }

    /** Knows the named command alone if there is one, else all: to reflect on all of them is a good part of a start. */
    static CommandLine commandLine(String name) {
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
