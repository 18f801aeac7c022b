package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A release of these sources by {@code bin/release}, and projects of others that use it. They have an empty local
 * repository; what is not in the release comes from where Maven finds it.
 */
@Tag("apps")
final class ReleaseIT {
    private static final String VERSION = "7.8.9";
    private static final Path HOME = Path.of("..").toAbsolutePath().normalize();
    private static final Path PROJECTS = Path.of("src/test/resources/projects").toAbsolutePath();

    @TempDir
    private static Path directory;

    private static Path sources;
    private static Path release;

    @BeforeAll
    static void releaseIsMade() throws Exception {
        Programs.require("git");
        Programs.require("mvn");
        Programs.require("python3");
        Programs.require(Files.exists(HOME.resolve(".git")), "this is a git checkout");
        sources = checkout("sources");
        release = directory.resolve("release");
        run(
                sources,
                Map.of(),
                "bin/release",
                VERSION,
                "--home",
                "https://git.example/rivulet",
                "--out",
                release.toString(),
                "--commit");
    }

    /** A checkout of these files as they are now, also of those without a commit. */
    private static Path checkout(String name) throws Exception {
        Path to = directory.resolve(name);
        run(directory, Map.of(), "git", "clone", "-q", HOME.toString(), to.toString());
        run(
                HOME,
                Map.of(),
                "bash",
                "-c",
                "git diff --binary HEAD | git -C \"$0\" apply --index --allow-empty"
                        + " && git ls-files -zo --exclude-standard | xargs -0r cp --parents -t \"$0\"",
                to.toString());
        for (String[] command : new String[][] {
            {"git", "config", "user.name", "Tests"},
            {"git", "config", "user.email", "tests@localhost"},
            {"git", "add", "-A"},
        }) {
            run(to, Map.of(), command);
        }
        Map<String, String> when =
                Map.of("GIT_AUTHOR_DATE", "2026-01-02T03:04:05Z", "GIT_COMMITTER_DATE", "2026-01-02T03:04:05Z");
        run(to, when, "git", "commit", "-q", "--allow-empty", "-m", "As it is");
        return to;
    }

    private static String run(Path in, Map<String, String> environment, String... command) throws Exception {
        Programs.Outcome outcome = tryRun(in, environment, command);
        assertThat(outcome.exitCode())
                .as("%s: %s%s", List.of(command), outcome.err(), outcome.out())
                .isZero();
        return outcome.out();
    }

    private static Programs.Outcome tryRun(Path in, Map<String, String> environment, String... command)
            throws Exception {
        List<String> there = new ArrayList<>(List.of("env", "-C", in.toString()));
        there.addAll(List.of(command));
        return Programs.run(Files.createTempDirectory(directory, "run"), environment, "", there.toArray(String[]::new));
    }

    @Test
    void theSameSourcesMakeTheSameBytes() throws Exception {
        Path again = checkout("other place");
        Path out = directory.resolve("other release");

        run(
                again,
                Map.of("TZ", "Asia/Tokyo", "LC_ALL", "C", "LANG", "C"),
                "bash",
                "-c",
                "umask 077; bin/release " + VERSION + " --home https://git.example/rivulet --out \"$0\"",
                out.toString());

        assertThat(Files.readString(out.resolve("SHA256SUMS")))
                .contains("rivulet-junit-" + VERSION + ".jar", "rivulet-" + VERSION + ".bom.json", "maven-bundle.zip")
                .contains("rivulet-" + VERSION + ".tgz")
                .isEqualTo(Files.readString(release.resolve("SHA256SUMS")));
        assertThat(run(again, Map.of(), "git", "status", "--porcelain")).isEmpty();
        assertThat(run(again, Map.of(), "git", "tag")).doesNotContain(VERSION);
    }

    @Test
    void theCheckoutHasTheTagAndTheNextVersion() throws Exception {
        assertThat(run(sources, Map.of(), "git", "show", "v" + VERSION + ":pom.xml"))
                .contains("<version>" + VERSION + "</version>", "<project.home>https://git.example/rivulet<");
        assertThat(run(sources, Map.of(), "git", "show", "v" + VERSION + ":CHANGELOG.md"))
                .containsPattern("## \\[Unreleased]\n\n## \\[7\\.8\\.9] - 2026-01-02\n");
        assertThat(Files.readString(sources.resolve("junit/pom.xml"))).contains("<version>7.8.10-SNAPSHOT</version>");
        assertThat(run(sources, Map.of(), "git", "status", "--porcelain")).isEmpty();
    }

    @Test
    void descriptionsAreComplete() throws Exception {
        for (String module : List.of("rivulet-junit", "rivulet-spring-test")) {
            Path place = release.resolve("maven/io/rivulet/" + module + "/" + VERSION);
            try (Stream<Path> files = Files.list(place)) {
                String start = module + "-" + VERSION;
                assertThat(files.map(file -> file.getFileName().toString())
                                .filter(name -> !name.endsWith(".md5") && !name.endsWith(".sha1")))
                        .containsExactlyInAnyOrder(
                                start + ".jar", start + ".pom", start + "-sources.jar", start + "-javadoc.jar");
            }
            assertThat(Files.readString(place.resolve(module + "-" + VERSION + ".pom")))
                    .contains("<name>", "<description>");
        }
        assertThat(Files.readString(release.resolve("maven/io/rivulet/rivulet/7.8.9/rivulet-7.8.9.pom")))
                .contains("<license>", "<scm ", "<developer>", "https://git.example/rivulet")
                .doesNotContain("rivulet.invalid");
        assertThat(release.resolve("maven/io/rivulet/rivulet-broker")).doesNotExist();
        assertThat(run(release, Map.of(), "tar", "-xzOf", "rivulet-" + VERSION + ".tgz", "rivulet/Chart.yaml"))
                .contains("version: " + VERSION + "\n", "appVersion: \"" + VERSION + "\"\n");
    }

    @ParameterizedTest
    @CsvSource({
        "1.2, 1.2 is no version",
        "1.2.3-SNAPSHOT, is no version",
        VERSION + ", the tag v" + VERSION + " exists",
        "-x, unknown option",
    })
    void mistakesAreNamed(String version, String reason) throws Exception {
        Programs.Outcome outcome = tryRun(sources, Map.of(), "bin/release", version, "--home", "https://git.example/r");

        assertThat(outcome.exitCode()).isEqualTo(1);
        assertThat(outcome.err()).contains(reason);
    }

    @Test
    void changesWithoutACommitAreRefused() throws Exception {
        Path changed = checkout("changed");
        Files.writeString(changed.resolve("README.md"), "changed");

        Programs.Outcome outcome =
                tryRun(changed, Map.of(), "bin/release", "9.9.9", "--home", "https://git.example/rivulet");

        assertThat(outcome.exitCode()).isEqualTo(1);
        assertThat(outcome.err()).contains("changes without a commit", "README.md");
    }

    @Test
    void aCommitDuringTheReleaseLeavesNoTag() throws Exception {
        Path changing = checkout("changing");

        Programs.Outcome outcome =
                releaseWithoutMaven(changing, "9.9.9", "git -C " + changing + " commit -q --allow-empty -m Other");

        assertThat(outcome.exitCode()).isEqualTo(1);
        assertThat(outcome.err()).contains("has changed since the release began");
        assertThat(run(changing, Map.of(), "git", "tag")).doesNotContain("9.9.9");
        assertThat(run(changing, Map.of(), "git", "log", "-1", "--format=%s")).isEqualTo("Other\n");
    }

    /** The version of the release is the one that a plugin happens to have. */
    @Test
    void aPluginKeepsItsVersion() throws Exception {
        Path plugin = checkout("plugin");
        Matcher literal = Pattern.compile("<version>(\\d+\\.\\d+)\\.(\\d+)</version>")
                .matcher(Files.readString(plugin.resolve("pom.xml")));
        assertThat(literal.find()).isTrue();
        String version = literal.group(1) + "." + literal.group(2);

        Programs.Outcome outcome = releaseWithoutMaven(plugin, version, "true");

        assertThat(outcome.exitCode()).as(outcome.err()).isZero();
        assertThat(Files.readString(plugin.resolve("pom.xml")))
                .contains(literal.group())
                .containsOnlyOnce("<version>" + literal.group(1) + "." + (Integer.parseInt(literal.group(2)) + 1)
                        + "-SNAPSHOT</version>");
    }

    /** With a program in the place of Maven, which also runs the line. */
    private static Programs.Outcome releaseWithoutMaven(Path checkout, String version, String line) throws Exception {
        Path bin = Files.createTempDirectory(directory, "bin");
        Path maven = Files.writeString(
                bin.resolve("mvn"),
                "#!/bin/sh\nset -e\nmkdir -p broker/target\necho {} >broker/target/sbom.json\n"
                        + "mkdir \"${MAVEN_PLACE}\"\n" + line + "\n");
        assertThat(maven.toFile().setExecutable(true)).isTrue();
        Path out = bin.resolve("release");
        return tryRun(
                checkout,
                Map.of("PATH", bin + ":" + System.getenv("PATH"), "MAVEN_PLACE", out + "/maven"),
                "bin/release",
                version,
                "--home",
                "https://git.example/rivulet",
                "--out",
                out.toString(),
                "--commit");
    }

    /** What is named first in a project has precedence, so kafka-clients brings its own codecs and its SLF4J. */
    @ParameterizedTest
    @CsvSource({"2.8.2", "4.4.0"})
    void aProjectWithKafkasClients(String clients) throws Exception {
        Path project = project("plain");

        test(project, "-Dkafka.version=" + clients);

        assertThat(Files.readString(project.resolve("jars.txt")))
                .as("one jar of Rivulet, without dependencies")
                .containsOnlyOnce("rivulet")
                .doesNotContain("netty", "caffeine");
    }

    /** The second run needs no network. */
    @Test
    void aProjectWithSpringBoot4() throws Exception {
        Path project = project("spring-boot");

        test(project, "-Dspring-boot.version=4.1.1");
        test(project, "-Dspring-boot.version=4.1.1", "--offline");
    }

    /** Its Netty is 4.1, which Rivulet can't use. */
    @Test
    void aProjectWithSpringBoot3() throws Exception {
        test(project("spring-boot"), "-Dspring-boot.version=3.5.16", "-Dspring-boot.kafka=spring-boot-autoconfigure");
    }

    private static Path project(String name) throws IOException {
        Path to = Files.createTempDirectory(directory, name);
        try (Stream<Path> files = Files.walk(PROJECTS.resolve(name))) {
            for (Path file : files.toList()) {
                Path copy = to.resolve(PROJECTS.resolve(name).relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(copy);
                } else {
                    Files.copy(file, copy);
                }
            }
        }
        return to;
    }

    /** Runs the tests of a project, which has a local repository of its own, and lists its jars in jars.txt. */
    private static void test(Path project, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                "mvn",
                "-B",
                "-ntp",
                "-gs",
                PROJECTS.resolve("settings.xml").toString(),
                "-Dmaven.repo.local=" + project.resolve("repository"),
                "-Drelease.repository=" + release.resolve("maven").toUri(),
                "-Dmachine.repository="
                        + Path.of(System.getProperty("rivulet.repository")).toUri(),
                "-Drivulet.version=" + VERSION,
                "-Djunit.version=" + System.getProperty("rivulet.junit.version"),
                "-Dsurefire.version=" + System.getProperty("rivulet.surefire.version")));
        command.addAll(List.of(arguments));
        command.addAll(List.of(
                "test",
                "org.apache.maven.plugins:maven-dependency-plugin:" + System.getProperty("rivulet.dependency.version")
                        + ":build-classpath",
                "-Dmdep.outputFile=jars.txt",
                "-Dmdep.pathSeparator=\n",
                "-Dmdep.prefix=."));

        assertThat(run(project, Map.of(), command.toArray(String[]::new)))
                .contains("Failures: 0, Errors: 0, Skipped: 0", "BUILD SUCCESS");
    }
}
