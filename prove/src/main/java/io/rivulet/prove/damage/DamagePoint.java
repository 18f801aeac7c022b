package io.rivulet.prove.damage;

import io.rivulet.broker.cli.Rivulet;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/**
 * Opens a damaged directory, and repairs it if a start refuses it or a read fails. Owned by: one thread.
 *
 * <p>The rules: a start changes nothing that it refuses, and says which file is wrong. What is served is the truth, and
 * what is not served has an error. A repair that reports no loss has none; after one that does, what is served was
 * written.
 */
final class DamagePoint {
    /** The name of a file that should be there, such as one that an old manifest names. */
    private static final Pattern MISSING = Pattern.compile("[0-9a-f]{12,16}\\.[a-z]+|[-\\w]+\\.snapshot");

    private static final int SOUND = 0;
    private static final int DAMAGED = 1;
    private static final int REPAIRED_WITH_LOSS = 3;

    private final Path directory;
    private final long segmentBytes;
    private final Picture truth;
    private final Opened.Opener opener;
    private final boolean mayLose;
    private final List<String> violations = new ArrayList<>();

    DamagePoint(Path directory, long segmentBytes, Picture truth, Opened.Opener opener) {
        this(directory, segmentBytes, truth, opener, true);
    }

    /** @param mayLose whether a repair may report loss, or give up */
    DamagePoint(Path directory, long segmentBytes, Picture truth, Opened.Opener opener, boolean mayLose) {
        this.mayLose = mayLose;
        this.directory = directory;
        this.segmentBytes = segmentBytes;
        this.truth = truth;
        this.opener = opener;
    }

    /** @param touched the damaged files */
    List<String> run(List<String> touched) throws IOException {
        SortedMap<String, String> before = Tree.contents(directory);
        Opened opened = opener.open(directory, segmentBytes, truth);
        if (opened.served() == null) {
            requireNamed(opened.refusal(), touched);
            requireSame(before, "a refused start");
            repair();
        } else {
            violations.addAll(opened.served().silentlyWrong(truth));
            if (!opened.served().isWhole()) {
                repair();
            }
        }
        return violations;
    }

    private void requireNamed(@Nullable Throwable refusal, List<String> touched) throws IOException {
        String message = String.valueOf(refusal == null ? null : refusal.getMessage());
        boolean isNamed = touched.stream().anyMatch(file -> message.contains(nameOf(file)))
                || Tree.files(directory).stream().anyMatch(file -> message.contains(nameOf(file)))
                || MISSING.matcher(message).find();
        if (!(refusal instanceof IOException) || !isNamed) {
            StringWriter trace = new StringWriter();
            if (refusal != null) {
                refusal.printStackTrace(new PrintWriter(trace));
            }
            violations.add("the refusal names no file: " + trace);
        }
    }

    private static String nameOf(String file) {
        return String.valueOf(Path.of(file).getFileName());
    }

    private void requireSame(SortedMap<String, String> before, String who) throws IOException {
        SortedMap<String, String> now = Tree.contents(directory);
        if (!now.equals(before)) {
            before.forEach((name, content) -> {
                if (!content.equals(now.get(name))) {
                    violations.add(who + " has changed " + name);
                }
            });
            now.keySet().stream()
                    .filter(name -> !before.containsKey(name))
                    .forEach(name -> violations.add(who + " has made " + name));
        }
    }

    // ---- repair ----

    private void repair() throws IOException {
        StringWriter said = new StringWriter();
        int code = inspect(said, "--verify", "--repair");
        if (code != SOUND && !mayLose) {
            violations.add("the repair ended with exit code " + code + ", and said:" + linesOfRepair(said.toString()));
        }
        if (code == DAMAGED) {
            code = inspect(said, "--repair", "--cut-log");
        }
        if (code != SOUND && code != REPAIRED_WITH_LOSS) {
            return; // refused by name again: a copy is needed
        }
        Opened opened = opener.open(directory, segmentBytes, truth);
        List<String> wrong = new ArrayList<>();
        if (opened.served() == null) {
            wrong.add("a start refuses it: " + opened.refusal());
        } else if (code == SOUND) {
            wrong.addAll(opened.served().silentlyWrong(truth));
            opened.served()
                    .failed()
                    .forEach((partition, offsets) -> wrong.add("reads fail: " + partition + " " + offsets));
        } else {
            wrong.addAll(opened.served().altered(truth));
        }
        if (!wrong.isEmpty()) {
            violations.add("after a repair with exit code " + code + ", which said:" + linesOfRepair(said.toString()));
            wrong.forEach(one -> violations.add("after the repair: " + one));
        }
    }

    /** Without the description of the directory. */
    private static String linesOfRepair(String said) {
        return said.replaceAll("(?s)(^|\nafter the repair\n|exit code \\d\n).*?(\nrepair\n|$)", "\n");
    }

    private int inspect(StringWriter said, String... options) {
        PrintWriter out = new PrintWriter(said);
        CommandLine line = Rivulet.commandLine("inspect").setOut(out).setErr(out);
        List<String> arguments = new ArrayList<>(List.of("inspect"));
        arguments.addAll(List.of(options));
        arguments.add(directory.toString());
        int code = line.execute(arguments.toArray(String[]::new));
        out.println("exit code " + code);
        if (code != SOUND
                && code != DAMAGED
                && code != REPAIRED_WITH_LOSS
                && said.toString().contains("\tat ")) {
            violations.add("the repair failed: " + said);
        }
        return code;
    }
}
