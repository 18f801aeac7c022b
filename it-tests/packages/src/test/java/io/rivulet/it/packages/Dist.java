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

    private static @Nullable Path built;

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
        return named(".tar.gz");
    }

    static Path deb() throws IOException {
        return named(".deb");
    }

    static Path rpm() throws IOException {
        return named(".rpm");
    }

    private static Path named(String suffix) throws IOException {
        List<Path> found =
                all().stream().filter(file -> file.toString().endsWith(suffix)).toList();
        assertThat(found).as("files with %s", suffix).hasSize(1);
        return found.get(0);
    }

    /** Makes a .deb or an .rpm of the same files, with another version. */
    static Path ofVersion(String kind, String version, Path scratch) throws IOException {
        Programs.run("tar", "-xzf", tarball().toString(), "-C", scratch.toString());
        String folder = tarball().getFileName().toString().replace(".tar.gz", "");
        Programs.run(
                "env",
                "SOURCE_DATE_EPOCH=1767225600",
                REPOSITORY.resolve("dist/" + kind + "/build.sh").toString(),
                scratch.resolve(folder).toString(),
                version,
                scratch.toString());
        try (Stream<Path> files = Files.list(scratch)) {
            return files.filter(file -> file.toString().endsWith("." + kind))
                    .findFirst()
                    .orElseThrow();
        }
    }
}
