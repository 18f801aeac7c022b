package io.rivulet.prove.damage;

import io.rivulet.prove.Check;
import io.rivulet.prove.Runner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The directory of a point: damaged, opened, and kept if something is wrong. Owned by: one thread. */
final class PointFiles {
    /** Damages a directory. Of directories that are alike it damages each in the same way. */
    interface Damager {
        void damage(Path directory) throws IOException;
    }

    private final String name;
    private final Path base;
    private final Path kept;
    private final Path directory;

    /** @param base the directory that the point begins with; it is not changed */
    PointFiles(String name, Path base, Path scratch, Path kept) {
        this.name = name;
        this.base = base;
        this.kept = kept;
        this.directory = scratch.resolve("point-" + name);
    }

    Path copy() throws IOException {
        Tree.copy(base, directory);
        return directory;
    }

    /**
     * Deletes the directory. If there are violations, keeps one that is damaged in the same way, and one as it was
     * before.
     */
    Check.Found found(String damage, List<String> violations, Damager again) throws IOException {
        String what = "";
        if (!violations.isEmpty()) {
            Path copy = kept.resolve(name);
            Runner.delete(copy);
            Files.createDirectories(copy);
            Tree.copy(base, copy.resolve("before"));
            Tree.copy(base, copy.resolve("damaged"));
            again.damage(copy.resolve("damaged"));
            what = damage + "; the directory, before and damaged, is in " + copy + "\n  "
                    + String.join("\n  ", violations);
        }
        Runner.delete(directory);
        return new Check.Found(1, what.isEmpty() ? List.of() : List.of(what));
    }
}
