package io.rivulet.it.packages;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A folder with a Debian that has nothing but the essential packages and apt, with processes, mounts and a network of
 * its own. All of its processes end with it, and with the test. Owned by: one thread.
 */
final class BareDebian implements AutoCloseable {
    private static final Path REPOSITORY = Path.of("..", "..").toAbsolutePath().normalize();

    /** The first process of the Debian: it ends with its standard input, and the others with it. */
    private static final String INIT = "mount --bind \"$0\" \"$0\" && mount -t proc proc \"$0/proc\""
            + " && mount --bind /dev \"$0/dev\" && ip link set lo up && echo begun && read -r _";

    private final Path root;
    private final Process init;

    private BareDebian(Path root, Process init) {
        this.root = root;
        this.init = init;
    }

    static BareDebian create() throws IOException {
        Path root = Files.createTempDirectory(Path.of("/var/tmp"), "rivulet-debian");
        String tar = Programs.run(REPOSITORY.resolve("dist/bare-debian.sh").toString())
                .lines()
                .reduce("", (first, last) -> last);
        Programs.run("tar", "-xzf", tar, "-C", root.toString());
        Programs.run("chmod", "755", root.toString());
        // Nobody is there to answer "Do you want to continue?".
        Files.writeString(root.resolve("etc/apt/apt.conf.d/yes"), "APT::Get::Assume-Yes \"true\";\n");
        Process init = new ProcessBuilder(
                        "unshare", "--mount", "--pid", "--net", "--fork", "bash", "-c", INIT, root.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        BufferedReader said = init.inputReader(StandardCharsets.UTF_8);
        assertThat(said.readLine()).isEqualTo("begun");
        return new BareDebian(root, init);
    }

    /** A file of this Debian. */
    Path path(String path) {
        return root.resolve(path.substring(1));
    }

    /** Copies a file of this machine. */
    void copy(Path file, String to) {
        Programs.run("cp", "-r", file.toString(), path(to).toString());
    }

    /** Has the stand-ins for the programs of systemd, so that scripts of packages believe that it runs. */
    void addServiceManager() {
        for (String program : List.of("systemctl", "systemd-notify")) {
            copy(Path.of("src/test/resources/stand-in", program), "/usr/bin/");
            Programs.run("chmod", "755", path("/usr/bin/" + program).toString());
        }
        Programs.run(
                "mkdir",
                "-p",
                path("/run/systemd/system").toString(),
                path("/etc/systemd/system/multi-user.target.wants").toString());
    }

    /** Runs a line of bash that must succeed, and returns its output. */
    String bash(String line) {
        Programs.Outcome outcome = tryBash(line);
        assertThat(outcome.exitCode()).as("%s says %s", line, outcome.out()).isZero();
        return outcome.out();
    }

    Programs.Outcome tryBash(String line) {
        return enter(
                "chroot",
                root.toString(),
                "/usr/bin/env",
                "-i",
                "PATH=/usr/sbin:/usr/bin:/sbin:/bin",
                "HOME=/root",
                "LANG=C.UTF-8",
                "DEBIAN_FRONTEND=noninteractive",
                "bash",
                "-c",
                line);
    }

    /** Runs a program of this machine on the folder, with the processes and the network of this Debian. */
    String outside(String... command) {
        Programs.Outcome outcome = enter(command);
        assertThat(outcome.exitCode())
                .as("%s says %s", List.of(command), outcome.out())
                .isZero();
        return outcome.out();
    }

    private Programs.Outcome enter(String... command) {
        long pid = init.children().findFirst().orElseThrow().pid();
        List<String> all =
                new ArrayList<>(List.of("nsenter", "--target", Long.toString(pid), "--mount", "--pid", "--net", "--"));
        all.addAll(List.of(command));
        return Programs.tryRun(all.toArray(String[]::new));
    }

    Path root() {
        return root;
    }

    @Override
    public void close() throws IOException {
        init.getOutputStream().close();
        init.onExit().join();
        Programs.run("rm", "-rf", "--one-file-system", root.toString());
    }
}
