package io.rivulet.prove.faults;

import io.rivulet.prove.Runner;
import io.rivulet.prove.damage.Tree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Keeps the directory of a seed if something is wrong: the data, and the logs of all processes. Stateless. */
public final class KeptFiles {
    /** What is done with a seed. Its broker has ended when it returns. */
    public interface Work {
        /** Returns what is wrong. */
        List<String> run(Path directory) throws Exception;
    }

    private KeptFiles() {}

    /**
     * Runs the work in a new directory of this name, which is deleted afterwards. Returns what is wrong, and where the
     * files are.
     */
    public static List<String> run(String name, Path scratch, Path kept, Work work) throws Exception {
        Path directory = Files.createDirectory(scratch.resolve(name));
        try {
            List<String> violations = work.run(directory);
            return violations.isEmpty()
                    ? violations
                    : List.of(copy(directory, kept, name) + "\n  " + String.join("\n  ", violations));
        } catch (Exception | AssertionError e) {
            throw new IllegalStateException(copy(directory, kept, name), e);
        } finally {
            Runner.delete(directory);
        }
    }

    private static String copy(Path directory, Path kept, String name) throws IOException {
        Path copy = kept.resolve(name);
        Runner.delete(copy);
        Files.createDirectories(kept);
        Tree.copy(directory, copy);
        return "the files are in " + copy;
    }
}
