package io.rivulet.it.containers;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.it.containers.Chart.Node;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The action for GitHub, run as GitHub runs it, and the examples of docs/CI.md. */
final class ActionIT {
    private static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();
    private static final Pattern BLOCK = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);
    private static final Pattern INPUT = Pattern.compile("\\$\\{\\{ inputs\\.([a-z-]+) }}");

    @TempDir
    private Path scratch;

    private static final AtomicInteger COUNT = new AtomicInteger();

    private final String name = "rivulet-action-" + ProcessHandle.current().pid() + "-" + COUNT.incrementAndGet();

    @BeforeAll
    static void image() {
        Image.require();
    }

    private static Node action() throws IOException {
        return Chart.parse(Files.readString(ROOT.resolve("action.yml"))).get(0);
    }

    /** Runs the step of the action. Its outputs are in the file. */
    private Shell.Outcome run(Path outputs, Map<String, String> inputs) throws IOException {
        Node step = action().at("runs", "steps", 0);
        Map<String, String> environment =
                new HashMap<>(Map.of("GITHUB_ACTION_PATH", ROOT.toString(), "GITHUB_OUTPUT", outputs.toString()));
        step.at("env").map().forEach((variable, expression) -> {
            Matcher input = INPUT.matcher(expression.toString());
            assertThat(input.matches()).as("%s", expression).isTrue();
            environment.put(variable.toString(), inputs.getOrDefault(input.group(1), inputDefault(input.group(1))));
        });
        assertThat(step.at("shell").text()).isEqualTo("bash");
        return Shell.tryRun(
                environment,
                "bash",
                "-e",
                "-o",
                "pipefail",
                "-c",
                step.at("run").text());
    }

    private static String inputDefault(String input) {
        try {
            return action().at("inputs", input, "default").text();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void theBrokerServesTheJob() throws Exception {
        Path outputs = Files.createFile(scratch.resolve("outputs"));
        String port = String.valueOf(Broker.freePort());
        try {
            Shell.Outcome outcome = run(
                    outputs,
                    Map.of(
                            "image",
                            Image.require(),
                            "name",
                            name,
                            "port",
                            port,
                            "topics",
                            "orders:3",
                            "config",
                            "num.partitions=2\nauto.create.topics.enable=false"));

            assertThat(outcome.exitCode()).as(outcome.out()).isZero();
            Properties found = new Properties();
            found.load(Files.newBufferedReader(outputs));
            String servers = found.getProperty("bootstrap-servers");
            KafkaClients.produce(servers, "orders", Map.of(), List.of("hello"));
            assertThat(KafkaClients.consume(servers, "orders", 1)).containsExactly("hello");
            assertThat(Shell.run(
                            "docker",
                            "exec",
                            found.getProperty("container"),
                            "kafka-configs",
                            "--bootstrap-server",
                            "localhost:9092",
                            "--broker",
                            "1",
                            "--describe",
                            "--all"))
                    .contains(
                            " num.partitions=2 ",
                            "auto.create.topics.enable=false",
                            "rivulet.durability=os",
                            "group.initial.rebalance.delay.ms=0");
            assertThat(run(outputs, Map.of("image", Image.require(), "name", name, "port", port))
                            .out())
                    .contains("::error title=Rivulet::there is a container " + name + " already");
            assertThat(run(outputs, Map.of("image", Image.require(), "name", name + "-2", "port", port))
                            .out())
                    .contains("::error title=Rivulet::port " + port + " can't be used");
        } finally {
            Shell.tryRun(Map.of(), "docker", "rm", "-fv", name);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "port    | http             | port is 'http'; allowed is a number from 1 to 65535",
                "port    | 65536            | port is '65536'; allowed is a number from 1 to 65535",
                "timeout | soon             | timeout is 'soon'; allowed is a number of seconds",
                "name    | a b              | name is 'a b'; allowed are letters, digits and _.-",
                "config  | num.partitions=x | the broker has ended; its log is above",
            })
    void aMistakeFailsTheStepWithAReason(String input, String value, String reason) throws IOException {
        Map<String, String> inputs = new HashMap<>(
                Map.of("image", Image.require(), "name", name, "port", String.valueOf(Broker.freePort())));
        inputs.put(input, value);

        Shell.Outcome outcome = run(scratch.resolve("outputs"), inputs);

        assertThat(outcome.exitCode()).isEqualTo(1);
        assertThat(outcome.out()).contains("::error title=Rivulet::" + reason);
        assertThat(Shell.succeeds("docker", "container", "inspect", name)).isFalse();
    }

    // ---- the page for CI services ----

    private static List<String> blocks() throws IOException {
        Matcher block = BLOCK.matcher(Files.readString(ROOT.resolve("docs/CI.md")));
        return Stream.iterate(block.find(), found -> found, found -> block.find())
                .map(found -> block.group(1))
                .toList();
    }

    /** What actionlint says about a workflow in a repository with the action in the folder "rivulet". */
    private String lint(String workflow) throws IOException {
        Path workflows = Files.createDirectories(scratch.resolve(".github/workflows"));
        Files.createDirectories(scratch.resolve(".git"));
        Files.createDirectories(scratch.resolve("rivulet"));
        Files.writeString(scratch.resolve("rivulet/action.yml"), Files.readString(ROOT.resolve("action.yml")));
        Path file =
                Files.writeString(workflows.resolve("test.yml"), workflow.replace("OWNER/rivulet@main", "./rivulet"));
        return Shell.tryRun(Map.of(), Tools.program("actionlint"), "-no-color", "-shellcheck=", file.toString())
                .out();
    }

    @Test
    void theWorkflowsOfTheDocumentAreValid() throws IOException {
        List<String> workflows =
                blocks().stream().filter(block -> block.startsWith("on:")).toList();

        assertThat(workflows).hasSize(2);
        for (String workflow : workflows) {
            assertThat(lint(workflow)).isEmpty();
        }
    }

    /** So the test above can fail. */
    @Test
    void aWrongInputOrOutputWouldBeFound() throws IOException {
        String workflow = blocks().get(0);

        assertThat(lint(workflow.replace("topics:", "topic:"))).contains("input \"topic\" is not defined in action");
        assertThat(lint(workflow.replace("outputs.bootstrap-servers", "outputs.servers")))
                .contains("property \"servers\" is not defined");
    }

    @Test
    void theDocumentListsAllInputs() throws IOException {
        String document = Files.readString(ROOT.resolve("docs/CI.md"));

        action().at("inputs")
                .map()
                .keySet()
                .forEach(input -> assertThat(document).contains("\n| `" + input + "` |"));
        action().at("outputs")
                .map()
                .keySet()
                .forEach(output -> assertThat(document).contains("`" + output + "`"));
    }

    /** Services of GitLab and of GitHub: a container with these variables, under this name in a network. */
    @Test
    void jobsReachTheServicesOfTheDocument() throws IOException {
        List<String> blocks = blocks();
        Node gitlab = Chart.parse(blocks.get(2)).get(0).at("test");
        Node github = Chart.parse(blocks.get(1)).get(0).at("jobs", "test");
        Node service = gitlab.at("services", 0);

        assertThat(reach(
                        service.at("alias").text(),
                        service.at("variables"),
                        gitlab.at("variables", "KAFKA_BOOTSTRAP_SERVERS").text()))
                .isEqualTo("hello\n");
        assertThat(reach(
                        github.at("services").map().keySet().iterator().next().toString(),
                        github.at("services", "kafka", "env"),
                        github.at("steps", 1, "env", "KAFKA_BOOTSTRAP_SERVERS").text()))
                .isEqualTo("hello\n");
    }

    private String reach(String alias, Node variables, String servers) {
        String network = Shell.run("docker", "network", "create", name).strip();
        List<String> options = new ArrayList<>(List.of("--network", network, "--network-alias", alias));
        variables.map().forEach((key, value) -> options.addAll(List.of("-e", key + "=" + value)));
        try (Broker broker = Broker.runBare(options.toArray(String[]::new))) {
            broker.awaitReady();
            return Shell.run(
                    "docker",
                    "run",
                    "--rm",
                    "--network",
                    network,
                    Image.require(),
                    "bash",
                    "-c",
                    "echo hello | kafka-console-producer --topic a --bootstrap-server " + servers
                            + " && kafka-console-consumer --topic a --from-beginning --max-messages 1"
                            + " --bootstrap-server " + servers);
        } finally {
            Shell.run("docker", "network", "rm", network);
        }
    }
}
