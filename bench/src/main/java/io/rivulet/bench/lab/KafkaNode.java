package io.rivulet.bench.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A broker of Kafka that is a controller, too: of three, as of one. Three machines are the least that outlive the loss
 * of one, and this is how Kafka uses three machines with the fewest processes. Immutable.
 *
 * @param home of the configuration, the data and the output
 * @param listeners for clients and other brokers
 */
record KafkaNode(int id, Path home, String listeners, int controllerPort) {
    private static final String CLUSTER_ID = "cmVzaWRlbnQtcml2dWxldA";

    /**
     * Writes its configuration and formats its storage. Returns the command that starts it.
     *
     * @param all with this one
     */
    List<String> prepare(Lab lab, List<KafkaNode> all, Map<String, String> settings) throws IOException {
        Path properties = home.resolve("server.properties");
        Files.write(properties, lines(all, settings));
        format(lab, properties);
        return lab.kafka().command(lab.heapMib(), "kafka.Kafka", properties.toString());
    }

    private List<String> lines(List<KafkaNode> all, Map<String, String> settings) {
        String voters = all.stream()
                .map(each -> each.id + "@localhost:" + each.controllerPort)
                .collect(Collectors.joining(","));
        int copies = all.size();
        int leastCopies = copies / 2 + 1;
        List<String> lines = new ArrayList<>(List.of(
                "process.roles=broker,controller",
                "node.id=" + id,
                "listeners=" + listeners + ",CONTROLLER://localhost:" + controllerPort,
                "controller.listener.names=CONTROLLER",
                "listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,SSL:SSL",
                "controller.quorum.voters=" + voters,
                "log.dirs=" + home.resolve("data"),
                "default.replication.factor=" + copies,
                "min.insync.replicas=" + leastCopies,
                "offsets.topic.replication.factor=" + copies,
                "transaction.state.log.replication.factor=" + copies,
                "transaction.state.log.min.isr=" + leastCopies,
                "share.coordinator.state.topic.replication.factor=" + copies,
                "share.coordinator.state.topic.min.isr=" + leastCopies));
        settings.forEach((key, value) -> lines.add(key + "=" + value));
        return lines;
    }

    private void format(Lab lab, Path properties) throws IOException {
        Process format = lab.spawn(
                lab.kafka()
                        .command(
                                lab.heapMib(),
                                "kafka.tools.StorageTool",
                                "format",
                                "-t",
                                CLUSTER_ID,
                                "-c",
                                properties.toString()),
                home);
        try {
            if (format.waitFor() != 0) {
                throw new IOException("Kafka's storage could not be formatted: see " + home);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
