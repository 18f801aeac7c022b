package io.rivulet.it.apps;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.it.BrokerProcesses;
import io.rivulet.it.Clients;
import io.rivulet.it.SeveralBrokers;
import io.rivulet.store.faults.Ports;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListStreamsGroupOffsetsSpec;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.StreamsGroupDescription;
import org.apache.kafka.clients.admin.StreamsGroupMemberDescription;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.GroupState;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Several instances of an application in one streams group: which of them answers queries, and who gets which tasks.
 * {@code -Drivulet.instances=100} for more instances.
 */
@Tag("apps")
@SeveralBrokers
final class StreamsInstancesIT {
    private static final Logger LOG = LoggerFactory.getLogger(StreamsInstancesIT.class);
    private static final String APPLICATION = "counts";
    private static final String TOPIC = "words";
    private static final int INSTANCES = Integer.getInteger("rivulet.instances", 10);
    private static final int TASKS_EACH = 3;
    private static final int HEAP_MEGABYTES = 300 + 15 * INSTANCES;
    private static final int WORDS = 40;
    private static final int OK = 200;
    private static final Duration PAUSE = Duration.ofMillis(100);

    @TempDir
    private Path directory;

    private final HttpClient http = HttpClient.newHttpClient();
    private final List<AppProcess> apps = new ArrayList<>();
    private @Nullable BrokerProcesses brokers;
    private String servers = "";

    private void startBrokers(int sessionMillis) throws Exception {
        BrokerProcesses started = BrokerProcesses.start(
                directory,
                "--override=group.streams.initial.rebalance.delay.ms=1000",
                "--override=group.streams.session.timeout.ms=" + sessionMillis,
                "--override=group.streams.min.session.timeout.ms=" + sessionMillis,
                "--override=group.streams.max.session.timeout.ms=" + sessionMillis,
                "--override=group.streams.heartbeat.interval.ms=300",
                "--override=group.streams.min.heartbeat.interval.ms=300");
        brokers = started;
        servers = started.servers();
    }

    @AfterEach
    void stop() {
        apps.forEach(AppProcess::close);
        if (brokers != null) {
            brokers.close();
        }
    }

    // ---- queries ----

    @Test
    void everyInstanceFindsTheOneThatHasTheWord() throws Exception {
        startBrokers(2_000);
        createTopic(4);
        String first = "localhost:" + Ports.free();
        String second = "localhost:" + Ports.free();
        String third = "localhost:" + Ports.free();
        AppProcess killed = startApp("killed", first, 2_000);
        startApp("survivors", second + "," + third, 2_000);
        produce(3);

        awaitAnswers(List.of(first, second, third), Set.of(first, second, third), 3);
        killed.close();
        produce(2);
        awaitAnswers(List.of(second, third), Set.of(second, third), 5);
    }

    /** @param owners the servers that have stores */
    private void awaitAnswers(List<String> asked, Set<String> owners, int count) {
        Awaitility.await().atMost(Clients.PATIENCE).pollInterval(PAUSE).untilAsserted(() -> {
            requireAlive();
            Map<String, Map<String, String>> byServer = new TreeMap<>();
            for (String each : asked) {
                byServer.put(each, answers(each));
            }
            // All give the same answers: the count, and who has it.
            assertThat(byServer.values()).containsOnly(byServer.get(asked.get(0)));
            assertThat(byServer.get(asked.get(0)).values()).allMatch(answer -> answer.startsWith(count + " "));
            assertThat(byServer.get(asked.get(0)).values().stream().map(answer -> answer.split(" ", 2)[1]))
                    .hasSameElementsAs(owners);
        });
    }

    private Map<String, String> answers(String of) throws InterruptedException {
        Map<String, String> answers = new TreeMap<>();
        for (String word : words()) {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + of + "/count/" + word))
                    .build();
            try {
                HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
                assertThat(response.statusCode()).as(response.body()).isEqualTo(OK);
                answers.put(word, response.body());
            } catch (IOException e) {
                throw new AssertionError(of + " does not answer yet", e);
            }
        }
        return answers;
    }

    // ---- many instances ----

    @Test
    void manyInstancesShareTheTasksEvenly() throws Exception {
        startBrokers(30_000);
        createTopic(INSTANCES * TASKS_EACH);
        long startNanos = System.nanoTime();
        startApp("many", String.valueOf(INSTANCES), 30_000);
        try (Admin admin = Clients.admin(servers)) {
            StreamsGroupDescription group = awaitStable(admin);
            LOG.info(
                    "{} instances are stable after {} ms",
                    INSTANCES,
                    Duration.ofNanos(System.nanoTime() - startNanos).toMillis());
            requireEvenShares(group.members());
            produce(2);
            awaitLagOfZero(admin);
        }
    }

    private StreamsGroupDescription awaitStable(Admin admin) {
        return Awaitility.await()
                .atMost(Clients.PATIENCE)
                .pollInterval(PAUSE)
                .ignoreExceptionsMatching(e -> !(e instanceof AssertionError)) // the group may not exist yet
                .until(
                        () -> {
                            requireAlive();
                            return admin.describeStreamsGroups(List.of(APPLICATION))
                                    .all()
                                    .get()
                                    .get(APPLICATION);
                        },
                        group -> group.members().size() == INSTANCES && group.groupState() == GroupState.STABLE);
    }

    private static void requireEvenShares(Collection<StreamsGroupMemberDescription> members) {
        List<String> all = new ArrayList<>();
        for (StreamsGroupMemberDescription member : members) {
            List<String> own = member.assignment().activeTasks().stream()
                    .flatMap(
                            part -> part.partitions().stream().map(partition -> part.subtopologyId() + "_" + partition))
                    .toList();
            assertThat(own).hasSize(TASKS_EACH);
            all.addAll(own);
        }
        assertThat(all)
                .doesNotHaveDuplicates()
                .containsExactlyInAnyOrderElementsOf(IntStream.range(0, INSTANCES * TASKS_EACH)
                        .mapToObj(partition -> "0_" + partition)
                        .toList());
    }

    private void awaitLagOfZero(Admin admin) {
        Awaitility.await().atMost(Clients.PATIENCE).pollInterval(PAUSE).untilAsserted(() -> {
            requireAlive();
            long read = admin
                    .listStreamsGroupOffsets(Map.of(APPLICATION, new ListStreamsGroupOffsetsSpec()))
                    .partitionsToOffsetAndMetadata(APPLICATION)
                    .get()
                    .values()
                    .stream()
                    .mapToLong(offset -> offset.offset())
                    .sum();
            assertThat(read).isEqualTo(2L * WORDS);
        });
    }

    // ---- the application ----

    private void createTopic(int partitions) throws Exception {
        try (Admin admin = Clients.admin(servers)) {
            admin.createTopics(List.of(new NewTopic(TOPIC, partitions, (short) 1)))
                    .all()
                    .get();
        }
    }

    /** @param transactionMillis how long the transaction of a killed instance hides what comes after it */
    private AppProcess startApp(String name, String instances, int transactionMillis) throws IOException {
        AppProcess app = AppProcess.start(
                directory,
                HEAP_MEGABYTES,
                "io.rivulet.it.streams.WordCounts",
                List.of(
                        instances,
                        "application.id=" + APPLICATION,
                        "bootstrap.servers=" + servers,
                        "state.dir=" + directory.resolve(name),
                        "group.protocol=streams",
                        "processing.guarantee=exactly_once_v2",
                        "commit.interval.ms=100",
                        "producer.buffer.memory=1048576",
                        "producer.transaction.timeout.ms=" + transactionMillis,
                        "statestore.cache.max.bytes=0"));
        apps.add(app);
        return app;
    }

    private void requireAlive() throws IOException {
        apps.get(apps.size() - 1).requireAlive();
    }

    private void produce(int times) throws Exception {
        List<ProducerRecord<String, String>> records = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            words().forEach(word -> records.add(new ProducerRecord<>(TOPIC, word, "")));
        }
        try (KafkaProducer<String, String> producer = Clients.producer(servers, Map.of())) {
            Clients.sendAll(producer, records);
        }
    }

    private static Set<String> words() {
        return IntStream.range(0, WORDS).mapToObj(i -> "w" + i).collect(toCollection(TreeSet::new));
    }
}
