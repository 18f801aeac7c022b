package io.rivulet.it.packages;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What dist/build.sh makes of the jars of this build: once for all tests, or -Drivulet.dist names where it is. */
final class Dist {
    static final Path REPOSITORY = Path.of("..", "..").toAbsolutePath().normalize();
    private static final Path OUT = Path.of("target", "dist").toAbsolutePath();
    private static final Path BEFORE = Path.of("target", "before").toAbsolutePath();

    private static @Nullable Path built;
    private static boolean builtBefore;

    private Dist() {}

    private static synchronized Path folder() {
        if (built == null) {
            Programs.require("debootstrap", "rpmbuild", "lintian", "man", "systemd-analyze", "nsenter", "ip");
            String made = System.getProperty("rivulet.dist");
            built = made == null ? build(OUT) : Path.of(made);
        }
        return built;
    }

    /** Runs the build once more, into another folder. */
    static Path build(Path out) {
        Programs.run("rm", "-rf", out.toString());
        Programs.run(REPOSITORY.resolve("dist/build.sh").toString(), "--out", out.toString());
        return out;
    }

    static List<Path> all() throws IOException {
        try (Stream<Path> files = Files.list(folder())) {
            return files.sorted().toList();
        }
    }

    static Path tarball() throws IOException {
        return onlyOne(folder(), ".tar.gz");
    }

    static Path deb() throws IOException {
        return onlyOne(folder(), ".deb");
    }

    static Path rpm() throws IOException {
        return onlyOne(folder(), ".rpm");
    }

    /**
     * The .deb or .rpm of the commit before this one, with its scripts and of a lower version: both commits have the
     * same one, and then there would be no upgrade.
     */
    static Path ofCommitBefore(String kind, Path scratch) throws IOException {
        Path tarball = tarballOfCommitBefore();
        Programs.run("tar", "-xzf", tarball.toString(), "-C", scratch.toString());
        String folder = tarball.getFileName().toString().replace(".tar.gz", "");
        Path sources = hasCommitBefore() ? BEFORE : REPOSITORY;
        Programs.run(
                "env",
                "SOURCE_DATE_EPOCH=1767225600",
                sources.resolve("dist/" + kind + "/build.sh").toString(),
                scratch.resolve(folder).toString(),
                "0.0.9",
                scratch.toString());
        return onlyOne(scratch, "." + kind);
    }

    /**
     * The tar.gz of the commit before this one, made once from its own sources by its own build. Sources without their
     * history have only this one.
     */
    static synchronized Path tarballOfCommitBefore() throws IOException {
        Path ofThis = tarball(); // of the two builds one runs at a time
        if (!hasCommitBefore()) {
            return ofThis;
        }
        Path out = BEFORE.resolve("dist/target");
        if (!builtBefore) {
            Programs.run("rm", "-rf", BEFORE.toString());
            Files.createDirectories(BEFORE);
            Programs.run(
                    "bash",
                    "-c",
                    "set -o pipefail; git -C \"$0\" archive --format=tar HEAD^ | tar -x -C \"$1\"",
                    REPOSITORY.toString(),
                    BEFORE.toString());
            Programs.run(BEFORE.resolve("dist/build.sh").toString(), "--out", out.toString());
            builtBefore = true;
        }
        return onlyOne(out, ".tar.gz");
    }

    /** False in an archive of the sources, and in a clone of the last commit alone. */
    private static boolean hasCommitBefore() {
        String ask = "[[ -e $0/.git ]] && git -C \"$0\" rev-parse --quiet --verify HEAD^";
        return Programs.tryRun("bash", "-c", ask, REPOSITORY.toString()).exitCode() == 0;
    }

    private static Path onlyOne(Path folder, String suffix) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            List<Path> found =
                    files.filter(file -> file.toString().endsWith(suffix)).toList();
            assertThat(found).as("files with %s in %s", suffix, folder).hasSize(1);
            return found.get(0);
        }
    }
}
