package io.rivulet.broker.cli;

import io.rivulet.broker.EmbeddedBroker;
import io.rivulet.broker.config.BrokerConfig;
import io.rivulet.broker.container.BitnamiVariables;
import io.rivulet.broker.container.ContainerProperties;
import io.rivulet.broker.container.ReadyLines;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "exercise",
        hidden = true,
        description = {
            "Run a broker in this process, and each command against it. The build of the image runs it:",
            "the classes that it loads are those in the AOT cache, and a command that fails ends the build.",
        })
final class ExerciseCommand implements Callable<Integer> {
    private static final List<String> COMMANDS = List.of(
            "topics --create --topic exercise --partitions 2",
            "topics --list",
            "topics --describe",
            "configs --alter --topic exercise --add-config retention.ms=60000",
            "configs --describe --topic exercise",
            "console-producer --topic exercise",
            "console-producer --topic exercise --compression-codec zstd",
            "console-producer --topic exercise --compression-codec lz4",
            "console-producer --topic exercise --compression-codec snappy",
            "console-consumer --topic exercise --from-beginning --max-messages 8",
            "get-offsets --topic exercise",
            "broker-api-versions",
            "groups --list",
            "streams-groups --list",
            "transactions list",
            "cluster cluster-id",
            "features describe",
            "metadata-quorum describe --status",
            "log-dirs --describe --topic-list exercise",
            "leader-election --election-type preferred --all-topic-partitions",
            "reassign-partitions --list",
            "producer-perf-test --topic exercise --num-records 100",
            "consumer-perf-test --topic exercise --messages 100",
            "e2e-latency --topic exercise --num-records 2",
            "streams-application-reset --application-id exercise --input-topics exercise",
            "health",
            "topics --delete --topic exercise");

    /** Small and large batches, few queues and many; more than the tail and the cache keep, so files are read. */
    private static final List<String> LOAD = List.of(
            "topics --create --topic few --partitions 100",
            "topics --create --topic many --partitions 20000",
            "producer-perf-test --topic few --num-records 1000000 --record-size 100",
            "producer-perf-test --topic few --num-records 20000 --record-size 100 --batch-size 1",
            "producer-perf-test --topic many --num-records 200000 --record-size 100 --batch-size 1000",
            "consumer-perf-test --topic few --messages 1000000",
            "consumer-perf-test --topic many --messages 200000");

    /** What the next start finds in files. */
    private static final List<String> LOAD_AFTER_RESTART = List.of(
            "consumer-perf-test --topic few --messages 1000000",
            "consumer-perf-test --topic many --messages 200000",
            "consumer-perf-test --topic few --messages 1000000");

    @Option(
            names = "--load",
            description = "then carry a million records: profiles of the compiled code go into the AOT cache, too")
    private boolean load;

    @Spec
    private CommandSpec spec;

    /** Loads the classes that only the process of a broker needs. */
    private void touchTheStart(String address, long startedNanos) {
        BitnamiVariables variables = BitnamiVariables.translate(Map.of(), Path.of("/"));
        BrokerConfig config = BrokerConfig.of(ContainerProperties.resolve(
                variables.environment(), Map.of(), Runtime.getRuntime().maxMemory()));
        BitnamiVariables.requireAllowed(config, Map.of());
        List<String> places =
                config.listeners().stream().map(listener -> address).toList();
        spec.commandLine().getOut().println(BrokerProcess.readyLine(places, 0, startedNanos));
        List.of(ReadyLines.of(config.nodeId())).forEach(spec.commandLine().getOut()::println);
    }

    @Override
    public Integer call() {
        InputStream in = System.in;
        long startedNanos = System.nanoTime();
        try (EmbeddedBroker broker = EmbeddedBroker.inMemoryOrTemp()
                .with("rivulet.durability", "fsync")
                .start()) {
            touchTheStart(broker.bootstrapServers(), startedNanos);
            boolean succeeded = run(COMMANDS, broker);
            if (succeeded && load) {
                succeeded = run(LOAD, broker);
                broker.restart();
                succeeded &= run(LOAD_AFTER_RESTART, broker);
            }
            return succeeded ? 0 : 1;
        } finally {
            System.setIn(in);
        }
    }

    private boolean run(List<String> commands, EmbeddedBroker broker) {
        for (String command : commands) {
            System.setIn(new ByteArrayInputStream("one\ntwo\n".getBytes(StandardCharsets.UTF_8)));
            List<String> arguments = new ArrayList<>(Arrays.asList(command.split(" ", -1)));
            arguments.addAll(List.of("--bootstrap-server", broker.bootstrapServers()));
            CommandLine line = Rivulet.commandLine(arguments.get(0))
                    .setOut(spec.commandLine().getOut())
                    .setErr(spec.commandLine().getErr());
            if (line.execute(arguments.toArray(String[]::new)) != 0) {
                spec.commandLine().getErr().println("rivulet: this command failed: " + command);
                return false;
            }
        }
        return true;
    }
}
