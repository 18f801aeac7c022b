package io.rivulet.broker.cli;

import io.rivulet.broker.json.JsonText;
import io.rivulet.store.inspect.StoreInspector;
import io.rivulet.store.repair.Repair;
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
            "Describe the contents of a data directory: log, manifest, snapshots, block files. For each damage,"
                    + " say what --repair would do.",
            "Without --repair it changes nothing. The broker must be stopped: a running broker changes the"
                    + " directory while it is read. Or inspect a copy.",
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:not damaged, or repaired without loss",
            "1:damaged, and not repaired completely",
            "2:not inspected: the directory does not exist, has no store, or is in use",
            "3:repaired with loss: a start succeeds, and the output lists what is lost"
        })
final class InspectCommand implements Callable<Integer> {
    private static final int SOUND = 0;
    private static final int DAMAGED = 1;
    private static final int NOT_INSPECTED = 2;
    private static final int REPAIRED_WITH_LOSS = 3;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "DIRECTORY", description = "the broker's data directory")
    private Path directory;

    @Option(names = "--verify", description = "read every block of every block file and verify its checksum")
    private boolean verify;

    @Option(
            names = "--repair",
            description =
                    "repair the directory so that a start accepts it, and list what is lost; damaged files move to"
                            + " the folder set-aside")
    private boolean repair;

    @Option(
            names = "--cut-log",
            description = "with --repair: if the log is damaged in the middle, give up everything behind the damage")
    private boolean cutLog;

    @Option(
            names = "--json",
            description = "print one JSON document: lines, damage with where, what and remedy, and whether it is sound")
    private boolean json;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        try (Progress progress = Progress.toStandardError(spec.commandLine().getErr())) {
            Inspection before = new Inspection(json, out, progress);
            boolean sound = inspect(verify || repair, before);
            int exitCode = sound ? SOUND : DAMAGED;
            Inspection after = new Inspection(json, out, progress);
            if (!sound && repair) {
                exitCode = repair(before, after);
            }
            if (json) {
                out.println(JsonText.of(before.json(exitCode, !sound && repair ? after : null)));
            }
            return exitCode;
        } catch (NoSuchFileException e) {
            return notInspected("there is no store in " + directory + ": " + e.getFile() + " is missing");
        } catch (IOException e) {
            return notInspected(String.valueOf(e.getMessage()));
        } finally {
            out.flush();
        }
    }

    private boolean inspect(boolean everyBlock, Inspection to) throws IOException {
        return StoreInspector.inspect(directory, everyBlock, new StoreAdvice(), to)
                .isSound();
    }

    private int repair(Inspection repaired, Inspection after) throws IOException {
        repaired.repairing("repair");
        Repair.Result result =
                Repair.run(directory, cutLog, System.currentTimeMillis(), new StoreAdvice(), repaired::repairing);
        after.line("after the repair");
        boolean sound = inspect(true, after);
        if (!sound || result == Repair.Result.NOT_REPAIRED) {
            return DAMAGED;
        }
        return result == Repair.Result.REPAIRED_WITH_LOSS ? REPAIRED_WITH_LOSS : SOUND;
    }

    private int notInspected(String why) {
        spec.commandLine().getErr().println("rivulet: " + why);
        return NOT_INSPECTED;
    }
}
