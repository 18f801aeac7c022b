package io.rivulet.prove.damage;

import io.rivulet.prove.Check;
import io.rivulet.prove.Runner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The directory of a point: damaged, opened, and kept if something is wrong. Owned by: one thread. */
final class PointFiles {
    private final String name;
    private final Path base;
    private final Path kept;
    private final Path directory;
    private final Path damaged;

    /** @param base the directory that the point begins with; it is not changed */
    PointFiles(String name, Path base, Path scratch, Path kept) {
        this.name = name;
        this.base = base;
        this.kept = kept;
        this.directory = scratch.resolve("point-" + name);
        this.damaged = scratch.resolve("damaged-" + name);
    }

    Path copy() throws IOException {
        Tree.copy(base, directory);
        return directory;
    }

    /** Call it between the damage and the start. */
    void remember() throws IOException {
        Tree.copy(directory, damaged);
    }

    /** Deletes the directory, but if there are violations keeps it as it was damaged, and as it was before. */
    Check.Found found(String damage, List<String> violations) throws IOException {
        String what = "";
        if (!violations.isEmpty()) {
            Path copy = kept.resolve(name);
            Runner.delete(copy);
            Files.createDirectories(copy);
            Tree.copy(damaged, copy.resolve("damaged"));
            Tree.copy(base, copy.resolve("before"));
            what = damage + "; the directory, before and damaged, is in " + copy + "\n  "
                    + String.join("\n  ", violations);
        }
        Runner.delete(damaged);
        Runner.delete(directory);
        return new Check.Found(1, what.isEmpty() ? List.of() : List.of(what));
    }
}
