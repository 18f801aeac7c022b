package io.rivulet.it.apps;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.it.BrokerProcesses;
import io.rivulet.it.Clients;
import io.rivulet.it.SeveralBrokers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Kafka Streams with exactly_once_v2; both the application and the broker are killed during the work. {@code
 * -Drivulet.rounds=20} for more kills.
 */
@Tag("apps")
@SeveralBrokers
final class StreamsIT {
    private static final int ROUNDS = Integer.getInteger("rivulet.rounds", 4);
    private static final long SEED = Long.getLong("rivulet.seed", System.nanoTime());
    private static final int PARTITIONS = 2;
    private static final int LINES_PER_ROUND = 100;
    private static final int WORDS_PER_LINE = 3;
    private static final int ORDERS_PER_ROUND = 60;
    private static final int WORDS = 12;
    private static final int USERS = 8;
    private static final List<String> IN = List.of("lines", "orders", "users", "payments");
    private static final List<String> OUT = List.of("counts", "counts-by-window", "joined", "paid");

    @TempDir
    private Path directory;

    private final Random random = new Random(SEED);
    private final long timestamp = System.currentTimeMillis();
    private final List<String> words = new ArrayList<>();
    private final List<String> orders = new ArrayList<>();
    /** Pairs of an order and a payment of the same user. */
    private final List<String> paid = new ArrayList<>();

    private final List<List<String>> ordersOfUsers = emptyLists();
    private final List<List<String>> paymentsOfUsers = emptyLists();
    private long laterMillis;
    private String protocol = "";
    private String servers = "";

    @ParameterizedTest
    @ValueSource(strings = {"classic", "streams"})
    void countsAndJoinsAreExactAfterKillsOfApplicationAndBroker(String groupProtocol) throws Exception {
        protocol = groupProtocol;
        BrokerProcesses brokers = startBrokers();
        servers = brokers.servers();
        createTopics();
        AppProcess app = startApp();
        try (Admin admin = Clients.admin(servers);
                KafkaProducer<String, String> producer = Clients.producer(servers, Map.of())) {
            Clients.sendAll(producer, users());
            try (CommittedReader reader = new CommittedReader(servers, OUT)) {
                for (int round = 0; round < ROUNDS; round++) {
                    int seen = words.size();
                    Clients.sendAll(producer, more());
                    reader.readUntil("counts", seen + 1 + random.nextInt(words.size() - seen), app);
                    if (round % 2 == 0) {
                        app.close();
                        app = startApp();
                    } else {
                        brokers.kill();
                        brokers.startAgain();
                    }
                }
                Clients.sendAll(producer, more());
                reader.readUntil("counts", words.size(), app);
                reader.readUntil("counts-by-window", words.size(), app);
                reader.readUntil("joined", orders.size(), app);
                reader.readUntil("paid", paid.size(), app);
                requireExact(reader);
            }
            requireInternalTopicsAsStreamsWantsThem(admin);
        } finally {
            app.close();
            brokers.close();
        }
    }

    private void createTopics() throws Exception {
        try (Admin admin = Clients.admin(servers)) {
            admin.createTopics(Stream.concat(IN.stream(), OUT.stream())
                            .map(topic -> new NewTopic(topic, PARTITIONS, (short) 1))
                            .toList())
                    .all()
                    .get();
        }
    }

    private void requireExact(CommittedReader reader) {
        Map<String, List<String>> expected =
                words.stream().collect(groupingBy(word -> word, counting())).entrySet().stream()
                        .collect(toMap(Map.Entry::getKey, entry -> upTo(entry.getValue())));
        assertThat(valuesByKey(reader.of("counts"), 0)).as("seed %d", SEED).isEqualTo(expected);
        assertThat(valuesByKey(reader.of("counts-by-window"), 1))
                .as("seed %d", SEED)
                .isEqualTo(expected);
        assertThat(reader.of("joined"))
                .as("seed %d", SEED)
                .map(ConsumerRecord::value)
                .containsExactlyInAnyOrderElementsOf(orders);
        assertThat(reader.of("paid"))
                .as("seed %d", SEED)
                .map(ConsumerRecord::value)
                .containsExactlyInAnyOrderElementsOf(paid);
    }

    /** The word at this index of each value, in order. */
    private static Map<String, List<String>> valuesByKey(List<ConsumerRecord<String, String>> records, int place) {
        return records.stream()
                .collect(groupingBy(
                        ConsumerRecord::key, mapping(record -> record.value().split(" ", -1)[place], toList())));
    }

    private static List<String> upTo(long count) {
        return IntStream.rangeClosed(1, (int) count).mapToObj(String::valueOf).toList();
    }

    private static void requireInternalTopicsAsStreamsWantsThem(Admin admin) throws Exception {
        Set<String> topics = admin.listTopics().names().get();
        assertThat(topics)
                .contains(
                        "words-counted-changelog",
                        "words-counted-repartition",
                        "words-counted-by-window-changelog",
                        "words-counted-by-window-repartition");
        assertThat(config(admin, "words-counted-changelog", "cleanup.policy")).isEqualTo("compact");
        assertThat(config(admin, "words-counted-by-window-changelog", "cleanup.policy")
                        .split(",", -1))
                .containsExactlyInAnyOrder("compact", "delete");
        assertThat(config(admin, "words-counted-repartition", "retention.ms")).isEqualTo("-1");
        // the repartition topic deletes counted records
        TopicPartition partition = new TopicPartition("words-counted-repartition", 0);
        assertThat(admin.listOffsets(Map.of(partition, OffsetSpec.earliest()))
                        .partitionResult(partition)
                        .get()
                        .offset())
                .isPositive();
    }

    private static String config(Admin admin, String topic, String key) throws Exception {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        Config config = admin.describeConfigs(List.of(resource)).all().get().get(resource);
        return config.get(key).value();
    }

    private List<ProducerRecord<String, String>> users() {
        return IntStream.range(0, USERS)
                // before their orders, because a join with a table uses timestamps
                .mapToObj(i -> new ProducerRecord<>("users", null, timestamp - 1, "u" + i, "user " + i))
                .toList();
    }

    private List<ProducerRecord<String, String>> more() {
        List<ProducerRecord<String, String>> more = new ArrayList<>();
        for (int i = 0; i < LINES_PER_ROUND; i++) {
            List<String> line = random.ints(WORDS_PER_LINE, 0, WORDS)
                    .mapToObj(word -> "w" + word)
                    .toList();
            words.addAll(line);
            more.add(record("lines", "l" + i, String.join(" ", line)));
        }
        for (int i = 0; i < ORDERS_PER_ROUND; i++) {
            int user = random.nextInt(USERS);
            String order = "order " + orders.size();
            orders.add(order + " for user " + user);
            ordersOfUsers.get(user).add(order);
            paymentsOfUsers.get(user).forEach(payment -> paid.add(order + " with " + payment));
            more.add(later("orders", "u" + user, order));
        }
        for (int user = 0; user < USERS; user++) {
            String payment = "payment " + paymentsOfUsers.get(user).size();
            paymentsOfUsers.get(user).add(payment);
            ordersOfUsers.get(user).forEach(order -> paid.add(order + " with " + payment));
            more.add(later("payments", "u" + user, payment));
        }
        return more;
    }

    /** A record with the same time as all others, so that there is one window. */
    private ProducerRecord<String, String> record(String topic, String key, String value) {
        return new ProducerRecord<>(topic, null, timestamp, key, value);
    }

    /**
     * A record with a time of its own: the stores of a join of streams number the records of a key and time, and a new
     * instance of the application starts with 0 again.
     */
    private ProducerRecord<String, String> later(String topic, String key, String value) {
        laterMillis++;
        return new ProducerRecord<>(topic, null, timestamp + laterMillis, key, value);
    }

    private static List<List<String>> emptyLists() {
        return Stream.<List<String>>generate(ArrayList::new).limit(USERS).toList();
    }

    private BrokerProcesses startBrokers() throws Exception {
        return BrokerProcesses.start(
                directory,
                "--override=group.initial.rebalance.delay.ms=0",
                "--override=group.min.session.timeout.ms=1000",
                "--override=group.streams.initial.rebalance.delay.ms=0",
                "--override=group.streams.session.timeout.ms=1500",
                "--override=group.streams.min.session.timeout.ms=1500",
                "--override=group.streams.heartbeat.interval.ms=300",
                "--override=group.streams.min.heartbeat.interval.ms=300",
                "--override=rivulet.tail.bytes=" + (16 << 20));
    }

    private AppProcess startApp() throws Exception {
        List<String> settings = new ArrayList<>(List.of(
                "application.id=words",
                "bootstrap.servers=" + servers,
                "state.dir=" + directory.resolve("state"),
                "processing.guarantee=exactly_once_v2",
                "commit.interval.ms=50",
                "repartition.purge.interval.ms=200",
                "statestore.cache.max.bytes=0",
                "consumer.max.poll.records=20",
                "group.protocol=" + protocol));
        if (protocol.equals("classic")) {
            settings.addAll(List.of("consumer.session.timeout.ms=1500", "consumer.heartbeat.interval.ms=300"));
        }
        return AppProcess.start(directory, "io.rivulet.it.streams.WordsAndOrders", settings.toArray(new String[0]));
    }
}
