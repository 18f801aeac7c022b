package io.rivulet.it.pages;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.it.Programs;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * PostgreSQL with logical decoding, where the user {@code postgres} needs no password. It refuses to run as root, and
 * runs as the user of Debian's package then. Owned by: one thread.
 */
final class Postgres implements Closeable {
    private static final Path INSTALLED = Path.of("/usr/lib/postgresql");

    private final Path scratch;
    private final Path programs;
    private final String data;

    /** Starts it, and waits until it is ready. */
    Postgres(Path scratch, int port) throws IOException, InterruptedException {
        this.scratch = scratch;
        programs = programs();
        // The folder of a test is open to its own user only.
        data = run("mktemp", "--directory", "--tmpdir", "rivulet-postgres.XXXXXX")
                .strip();
        run(program("initdb"), "--pgdata", data, "--username", "postgres", "--auth", "trust", "--no-sync");
        run(
                program("pg_ctl"),
                "start",
                "--wait",
                "--pgdata",
                data,
                "--log",
                data + "/log",
                "--options",
                "-p " + port + " -c wal_level=logical -c fsync=off -c listen_addresses=localhost"
                        + " -c unix_socket_directories=''");
    }

    private static Path programs() throws IOException {
        Optional<Path> found = Optional.empty();
        if (Files.isDirectory(INSTALLED)) {
            try (Stream<Path> versions = Files.list(INSTALLED)) {
                found = versions.map(version -> version.resolve("bin"))
                        .filter(bin -> Files.isExecutable(bin.resolve("initdb")))
                        .max(Path::compareTo);
            }
        }
        Programs.require(found.isPresent(), "PostgreSQL is installed below " + INSTALLED);
        return found.orElseThrow();
    }

    private String program(String name) {
        return programs.resolve(name).toString();
    }

    private String run(String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        if (System.getProperty("user.name").equals("root")) {
            command.addAll(List.of("runuser", "-u", "postgres", "--"));
        }
        command.addAll(List.of(words));
        Programs.Outcome outcome = Programs.run(scratch, command.toArray(new String[0]));
        assertThat(outcome.exitCode()).as("%s: %s", command, outcome).isZero();
        return outcome.out();
    }

    @Override
    public void close() throws IOException {
        try {
            run(program("pg_ctl"), "stop", "--mode", "immediate", "--pgdata", data);
            run("rm", "--recursive", data);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("PostgreSQL may still run in " + data, e);
        }
    }
}
