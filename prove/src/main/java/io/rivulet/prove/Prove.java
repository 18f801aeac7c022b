package io.rivulet.prove;

import io.rivulet.prove.upgrade.ArchiveMaker;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Entry point of {@code bin/rivulet prove}. */
@Command(
        name = "prove",
        mixinStandardHelpOptions = true,
        description = {
            "Check on this machine what Rivulet promises: damaged files, faults, kills, hostile clients, histories.",
            "Prints a row for each check. A point that fails is printed with the command that repeats it.",
            "How far a check is goes to standard error, each ten seconds.",
            "Without options, each check does as many points as the build does: some minutes in all."
        },
        optionListHeading = "%nOptions:%n",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:no point failed", "1:a point failed", "2:wrong command line"})
public final class Prove implements Callable<Integer> {
    private static final Duration NO_LIMIT = Duration.ofDays(365);
    private static final int SEEDS = 1_000_000_000;
    private static final long NEWS_MILLIS = 10_000;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--check",
            paramLabel = "NAME",
            split = ",",
            description = "only this check; may be given several times")
    private List<String> names = new ArrayList<>();

    @Option(names = "--list", description = "print the checks and what each promises, and run none")
    private boolean list;

    @Option(names = "--seed", paramLabel = "S", description = "the seed of the first point; default: a new one")
    private @Nullable Long seed;

    @Option(names = "--points", paramLabel = "N", description = "how many points each check does")
    private @Nullable Long points;

    @Option(
            names = "--minutes",
            paramLabel = "N",
            description = "how long all checks run together; with --points, whatever ends first."
                    + " Figures that a short run only prints are judged")
    private @Nullable Integer minutes;

    @Option(
            names = "--make-archive",
            paramLabel = "FILE",
            description = "run no checks, but write a data directory of this version, which the check upgrade opens")
    private @Nullable Path archive;

    @Option(
            names = "--keep",
            paramLabel = "DIRECTORY",
            description = "where files of failures are kept; default: ${DEFAULT-VALUE}")
    private Path kept = Path.of("prove-failures");

    public static void main(String[] args) {
        System.exit(new CommandLine(new Prove()).execute(args));
    }

    @Override
    public Integer call() throws Exception {
        PrintWriter out = spec.commandLine().getOut();
        if (archive != null) {
            ArchiveMaker.make(archive);
            out.printf("%s has %,d bytes%n", archive, Files.size(archive));
            return 0;
        }
        if (list) {
            Checks.all()
                    .forEach(check -> out.printf("%-10s %,12d  %s%n", check.name(), check.points(), check.promise()));
            return 0;
        }
        List<Check> chosen = chosen();
        long first = seed != null ? seed : Math.floorMod(System.nanoTime(), SEEDS);
        Duration each = minutes != null ? Duration.ofMinutes(minutes).dividedBy(chosen.size()) : NO_LIMIT;
        Table table = new Table(out);
        table.head();
        boolean ok = true;
        for (Check one : chosen) {
            Check check = minutes != null ? one.thorough() : one;
            Row row = new Runner(kept, this::tell, NEWS_MILLIS).run(check, first, pointsOf(check), each);
            table.row(row);
            ok &= row.isOk();
        }
        return ok ? 0 : 1;
    }

    /** Not into the table, which may go to a file. */
    private void tell(String line) {
        PrintWriter err = spec.commandLine().getErr();
        err.println("  " + line);
        err.flush();
    }

    private long pointsOf(Check check) {
        if (points != null) {
            return points;
        }
        return minutes != null ? Long.MAX_VALUE : check.points();
    }

    private List<Check> chosen() {
        List<Check> all = Checks.all();
        List<Check> chosen = all.stream()
                .filter(check -> names.isEmpty() || names.contains(check.name()))
                .toList();
        List<String> known = all.stream().map(Check::name).toList();
        names.stream().filter(name -> !known.contains(name)).findFirst().ifPresent(unknown -> {
            throw new ParameterException(
                    spec.commandLine(), "there is no check '" + unknown + "'; there are " + String.join(", ", known));
        });
        if ((points != null && points < 1) || (minutes != null && minutes < 1)) {
            throw new ParameterException(spec.commandLine(), "--points and --minutes are 1 or more");
        }
        return chosen;
    }
}
