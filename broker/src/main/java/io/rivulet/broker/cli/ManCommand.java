package io.rivulet.broker.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "man",
        mixinStandardHelpOptions = true,
        description = {
            "Write the manual pages into a directory: rivulet.1 and one page for each command.",
            "rivulet man ~/.local/share/man/man1, for example, then man rivulet-topics.",
        })
final class ManCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "DIRECTORY", description = "where to write; created if it does not exist")
    private Path directory;

    @Override
    public Integer call() throws IOException {
        CommandLine rivulet = Rivulet.commandLine("");
        Files.createDirectories(directory);
        write("rivulet", ManPage.of(rivulet.getCommandSpec()));
        for (Map.Entry<String, CommandLine> command : rivulet.getSubcommands().entrySet()) {
            CommandSpec described = command.getValue().getCommandSpec();
            if (!described.usageMessage().hidden()) {
                write("rivulet-" + command.getKey(), ManPage.of(described));
            }
        }
        return 0;
    }

    private void write(String name, String page) throws IOException {
        Files.writeString(directory.resolve(name + ".1"), page);
        spec.commandLine().getOut().println(directory.resolve(name + ".1"));
    }
}
