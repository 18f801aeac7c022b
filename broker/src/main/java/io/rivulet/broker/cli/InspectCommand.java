package io.rivulet.broker.cli;

import io.rivulet.store.inspect.StoreInspector;
import io.rivulet.store.io.ReadOnlyDisk;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "inspect",
        mixinStandardHelpOptions = true,
        description = {
            "Tell what is in a data directory and whether it is damaged: log, manifest, snapshots, block files.",
            "Changes nothing. A directory that a running broker has open is refused, for it changes while it is read:"
                    + " stop the broker, or inspect a copy of a snapshot.",
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:sound", "1:damaged", "2:not inspected: no such directory, no store in it, or in use"})
final class InspectCommand implements Callable<Integer> {
    private static final int SOUND = 0;
    private static final int DAMAGED = 1;
    private static final int NOT_INSPECTED = 2;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "DIRECTORY", description = "the broker's data directory")
    private Path directory;

    @Option(names = "--verify", description = "read every block of every block file and verify its checksum")
    private boolean verify;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        try {
            boolean sound = StoreInspector.inspect(new ReadOnlyDisk(directory), verify, out::println)
                    .isSound();
            return sound ? SOUND : DAMAGED;
        } catch (NoSuchFileException e) {
            return notInspected("there is no store in " + directory + ": " + e.getFile() + " is missing");
        } catch (IOException e) {
            return notInspected(String.valueOf(e.getMessage()));
        } finally {
            out.flush();
        }
    }

    private int notInspected(String why) {
        spec.commandLine().getErr().println("rivulet: " + why);
        return NOT_INSPECTED;
    }
}
