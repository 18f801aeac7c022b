package io.rivulet.it.containers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;

/** A project of compose, with the installed one of the two programs. Closing it removes it and its volumes. */
final class Compose implements AutoCloseable {
    private static final Path FILES = Path.of("..", "..", "docker");
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration POLL = Duration.ofMillis(500);

    /** Of a container without a health check: healthy. */
    private static final String HEALTH = "{{if .State.Health}}{{.State.Health.Status}}{{else}}healthy{{end}}";

    private final String project;
    private final List<String> command;
    private final Map<String, String> environment;
    private final boolean waits;

    private Compose(String project, List<String> command, Map<String, String> environment, boolean waits) {
        this.project = project;
        this.command = command;
        this.environment = new HashMap<>(environment);
        this.waits = waits;
    }

    /** Skips the test if no program is installed; with CI=true the test fails. */
    static Compose of(String project, Map<String, String> environment, String... files) {
        boolean waits = Shell.succeeds("docker", "compose", "version");
        boolean found = waits || Shell.succeeds("docker-compose", "version");
        if ("true".equals(System.getenv("CI"))) {
            assertThat(found).as("a compose program is installed").isTrue();
        }
        assumeThat(found).as("a compose program is installed").isTrue();
        List<String> command = new ArrayList<>(waits ? List.of("docker", "compose") : List.of("docker-compose"));
        command.addAll(List.of("-p", project));
        for (String file : files) {
            command.add("-f");
            command.add(FILES.resolve(file).toAbsolutePath().normalize().toString());
        }
        return new Compose(project, command, environment, waits);
    }

    /** Sets a variable of the environment for what is run from now on. */
    void set(String variable, String value) {
        environment.put(variable, value);
    }

    /** Starts what does not run, and returns when all of it is healthy. */
    void up() {
        up(List.of(), List.of());
    }

    /** Makes the container of one service anew if its image is another one, and returns when it is healthy. */
    void upgrade(String service) {
        up(List.of("--no-deps"), List.of(service));
    }

    private void up(List<String> options, List<String> services) {
        List<String> arguments = new ArrayList<>(List.of("up", "-d"));
        arguments.addAll(options);
        if (waits) {
            arguments.add("--wait");
        }
        arguments.addAll(services);
        run(arguments);
        if (!waits) {
            awaitHealthy(services);
        }
    }

    private void awaitHealthy(List<String> services) {
        List<String> containers = services.isEmpty()
                ? containers(List.of())
                : services.stream().map(this::container).toList();
        List<String> inspect = new ArrayList<>(List.of("docker", "inspect", "--format", HEALTH));
        inspect.addAll(containers);
        Awaitility.await()
                .atMost(PATIENCE)
                .pollInterval(POLL)
                .until(() -> Shell.run(inspect.toArray(String[]::new)).lines().allMatch("healthy"::equals));
    }

    /** The id of the container of a service. */
    String container(String service) {
        return containers(List.of("--filter", "label=com.docker.compose.service=" + service))
                .get(0);
    }

    /** Without the program, which takes longer to start than a question to the engine takes. */
    private List<String> containers(List<String> options) {
        List<String> ps = new ArrayList<>(
                List.of("docker", "ps", "-q", "--filter", "label=com.docker.compose.project=" + project));
        ps.addAll(options);
        return Shell.run(ps.toArray(String[]::new)).lines().toList();
    }

    String run(String... arguments) {
        return run(List.of(arguments));
    }

    private String run(List<String> arguments) {
        List<String> all = new ArrayList<>(command);
        all.addAll(arguments);
        return Shell.run(environment, all.toArray(String[]::new));
    }

    @Override
    public void close() {
        run("down", "-v", "-t", "1");
    }
}
