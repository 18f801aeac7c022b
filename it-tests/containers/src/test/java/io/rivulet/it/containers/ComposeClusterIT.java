package io.rivulet.it.containers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Three brokers and three engines: docker/compose.cluster.yaml, with the commands of docs/CLUSTER.md. */
final class ComposeClusterIT {
    private static final Logger LOG = LoggerFactory.getLogger(ComposeClusterIT.class);
    private static final int BROKERS = 3;
    private static final int ENGINES = 3;
    /** So many records pass after each step. */
    private static final int RECORDS = 50;

    private static final String PROJECT = "rivulet-it-cluster";
    private static final TopicPartition PARTITION = new TopicPartition("survivors", 0);

    private String image;
    private String servers;
    private Compose compose;

    @BeforeEach
    void up() throws IOException {
        image = Image.requireForClusters();
        Map<String, String> environment = new HashMap<>();
        environment.put("RIVULET_CLUSTER_IMAGE", image);
        environment.put("RIVULET_TOPICS", PARTITION.topic() + ":1");
        int[] ports = new int[BROKERS];
        for (int i = 0; i < BROKERS; i++) {
            ports[i] = Broker.freePort();
            environment.put("RIVULET_PORT_" + (i + 1), String.valueOf(ports[i]));
        }
        servers = IntStream.of(ports).mapToObj(port -> "localhost:" + port).collect(Collectors.joining(","));
        compose = Compose.of(PROJECT, environment, "compose.cluster.yaml");
        compose.up();
    }

    @AfterEach
    void down() {
        compose.close();
    }

    @Test
    void whatIsAcknowledgedSurvivesLossesAndAnUpgradeAndAStop() throws Exception {
        long count;
        try (SteadyProducer producer = new SteadyProducer(servers, PARTITION.topic());
                SteadyReader reader = new SteadyReader(servers, PARTITION)) {
            Steps steps = new Steps(producer.acknowledged, reader.read);
            steps.run("nothing", () -> {});
            steps.run("the owner is killed", this::killOwner);
            steps.run("it is started again", compose::up);
            steps.run("an engine is lost and replaced", this::replaceEngine);
            upgrade(steps);
            steps.run("down and up", () -> {
                compose.run("down");
                compose.up();
            });
            count = producer.finish();
            reader.read.awaitCount(count);
        }

        assertThat(consumeInside("broker" + owner(), RECORDS))
                .isEqualTo(LongStream.range(0, RECORDS)
                        .mapToObj(SteadyProducer::value)
                        .toList());
        LOG.info("{} records were acknowledged, each at its offset", count);
    }

    private void killOwner() throws Exception {
        int owner = owner();
        Shell.run("docker", "kill", compose.container("broker" + owner));
    }

    private void replaceEngine() {
        compose.run("rm", "-sfv", "engine2");
        Shell.run("docker", "volume", "rm", PROJECT + "_engine2");
        compose.up();
    }

    /** To the same image with another name, which compose takes for another image. */
    private void upgrade(Steps steps) throws Exception {
        String next = image + "-next";
        Shell.run("docker", "tag", image, next);
        compose.set("RIVULET_CLUSTER_IMAGE", next);
        for (int id = 1; id <= ENGINES; id++) {
            String engine = "engine" + id;
            steps.run("upgrade of " + engine, () -> compose.upgrade(engine));
        }
        int owner = owner();
        for (int id = 1; id <= BROKERS; id++) {
            String follower = "broker" + id;
            if (id != owner) {
                steps.run("upgrade of a follower", () -> compose.upgrade(follower));
            }
        }
        assertThat(owner()).as("followers were upgraded").isEqualTo(owner);
        steps.run("upgrade of the owner", () -> compose.upgrade("broker" + owner));
        assertThat(owner()).as("the owner was upgraded").isNotEqualTo(owner);
        for (String service : List.of("engine1", "engine2", "engine3", "broker1", "broker2", "broker3")) {
            assertThat(Broker.of(compose.container(service)).inspect("{{.Config.Image}}"))
                    .isEqualTo(next);
        }
    }

    private interface Step {
        void run() throws Exception;
    }

    /** Says of each step how long it took, and how long the clients stood still. */
    private record Steps(Progress acknowledged, Progress read) {
        void run(String name, Step step) throws Exception {
            long startNanos = System.nanoTime();
            acknowledged.longestStallMillis();
            read.longestStallMillis();
            step.run();
            acknowledged.awaitMore(RECORDS);
            read.awaitCount(acknowledged.count());
            LOG.info(
                    "{}: {} ms, longest stall of the producer {} ms, of the reader {} ms",
                    name,
                    TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos),
                    acknowledged.longestStallMillis(),
                    read.longestStallMillis());
        }
    }

    /** With the tool in one of the containers. */
    private List<String> consumeInside(String service, int count) {
        String[] command = {
            "kafka-console-consumer",
            "--bootstrap-server",
            "broker1:9092",
            "--topic",
            PARTITION.topic(),
            "--from-beginning",
            "--max-messages",
            String.valueOf(count)
        };
        return Broker.of(compose.container(service)).exec(command).lines().toList();
    }

    /** The id of the broker that owns the log: it leads each partition. */
    private int owner() throws ExecutionException, InterruptedException {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
            TopicDescription topic = admin.describeTopics(List.of(PARTITION.topic()))
                    .allTopicNames()
                    .get()
                    .values()
                    .iterator()
                    .next();
            return topic.partitions().get(0).leader().id();
        }
    }
}
