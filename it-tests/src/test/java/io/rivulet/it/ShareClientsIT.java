package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ListShareGroupOffsetsSpec;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.SharePartitionOffsetInfo;
import org.apache.kafka.clients.consumer.AcknowledgeType;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clients of three languages consume together as members of one share group, and release and reject some records. One
 * member is killed, and one lets its locks expire. In the end, each record was accepted or rejected once.
 */
@SeveralBrokers
final class ShareClientsIT {
    private static final String TOPIC = "t";
    private static final String GROUP = "g";
    private static final int PARTITIONS = 4;
    private static final int RECORDS = 3_000;
    private static final int LOCK_MILLIS = 15_000;

    @TempDir
    private Path directory;

    /** The lines of Java's members, as in {@link ClientProgram}. */
    private final Queue<String> told = new ConcurrentLinkedQueue<>();

    private final AtomicBoolean ended = new AtomicBoolean();

    @Test
    void eachRecordIsAcceptedOrRejectedOnce() throws Exception {
        ClientProgram.FRANZ_GO.install();
        ClientProgram.CONFLUENT_KAFKA.install();
        try (TestBroker broker = TestBroker.start(
                        directory.resolve("data"),
                        Map.of("group.share.record.lock.duration.ms", String.valueOf(LOCK_MILLIS)));
                Admin admin = Clients.admin(broker)) {
            Uuid topic = createTopicAndGroup(admin);
            send(broker);
            letLocksExpire(broker, topic);
            Path outOfKilled = directory.resolve("killed");
            Process killed = ClientProgram.FRANZ_GO.share(outOfKilled, broker.bootstrapServers(), TOPIC, GROUP);
            Awaitility.await()
                    .atMost(Clients.PATIENCE)
                    .until(() -> Files.readString(outOfKilled).contains("done"));
            killed.destroyForcibly().waitFor();

            List<Path> outs = List.of(directory.resolve("go"), directory.resolve("python"));
            List<Process> programs = List.of(
                    ClientProgram.FRANZ_GO.share(outs.get(0), broker.bootstrapServers(), TOPIC, GROUP),
                    ClientProgram.CONFLUENT_KAFKA.share(outs.get(1), broker.bootstrapServers(), TOPIC, GROUP));
            List<CompletableFuture<Void>> members = IntStream.range(0, 2)
                    .mapToObj(i -> CompletableFuture.runAsync(() -> share(broker)))
                    .toList();
            Awaitility.await()
                    .atMost(Clients.PATIENCE)
                    .pollInterval(Duration.ofMillis(100))
                    .until(() -> lag(admin) == 0 || members.stream().anyMatch(CompletableFuture::isDone));
            ended.set(true);
            for (CompletableFuture<Void> member : members) {
                member.get(Clients.PATIENCE.toSeconds(), TimeUnit.SECONDS);
            }
            end(programs);
            List<String> lines = new ArrayList<>(told);
            for (Path out : outs) {
                lines.addAll(Files.readAllLines(out));
            }
            requireEachOnce(lines, completeLines(outOfKilled));
        }
    }

    private static Uuid createTopicAndGroup(Admin admin) throws Exception {
        ConfigResource group = new ConfigResource(ConfigResource.Type.GROUP, GROUP);
        AlterConfigOp earliest =
                new AlterConfigOp(new ConfigEntry("share.auto.offset.reset", "earliest"), AlterConfigOp.OpType.SET);
        admin.incrementalAlterConfigs(Map.of(group, List.of(earliest))).all().get();
        return admin.createTopics(List.of(new NewTopic(TOPIC, PARTITIONS, (short) 1)))
                .topicId(TOPIC)
                .get();
    }

    /** In batches of few records, because whole batches are acquired. */
    private static void send(TestBroker broker) throws Exception {
        try (KafkaProducer<String, String> producer = Clients.producer(broker, Map.of("batch.size", 200))) {
            Clients.sendAll(
                    producer,
                    IntStream.range(0, RECORDS)
                            .mapToObj(i -> new ProducerRecord<>(TOPIC, i % PARTITIONS, "", "v" + i))
                            .toList());
        }
    }

    /** Acquires records and keeps them until their locks have expired: then it is refused. */
    private static void letLocksExpire(TestBroker broker, Uuid topic) throws IOException {
        ShareHistory history = new ShareHistory(LOCK_MILLIS, 5);
        int port = broker.addresses().get(0).getPort();
        try (ShareMember silent = new ShareMember(port, GROUP, topic, PARTITIONS, history, 1);
                ShareMember other = new ShareMember(port, GROUP, topic, PARTITIONS, history, 2)) {
            List<ShareHistory.Delivery> kept = silent.fetch(10, 1_000, Map.of());
            assertThat(kept).isNotEmpty();
            Awaitility.await()
                    .atMost(Clients.PATIENCE)
                    .pollInterval(Duration.ofSeconds(2)) // most records are for the clients
                    .until(() -> other.fetch(20, 1_000, Map.of()).stream()
                            .anyMatch(one -> one.place().equals(kept.get(0).place()) && one.count() == 2));
            silent.answer(Map.of(kept.get(0), ShareHistory.Verdict.ACCEPT));
            assertThat(history.count(ShareHistory.Verdict.ACCEPT, ShareHistory.Outcome.REFUSED))
                    .isOne();
            other.leave();
        }
    }

    private void share(TestBroker broker) {
        Map<String, Object> settings = Map.of(
                "bootstrap.servers",
                broker.bootstrapServers(),
                "group.id",
                GROUP,
                "share.acknowledgement.mode",
                "explicit",
                "max.poll.records",
                20);
        try (KafkaShareConsumer<String, String> consumer =
                new KafkaShareConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
            consumer.subscribe(List.of(TOPIC));
            while (!ended.get()) {
                ConsumerRecords<String, String> records = consumer.poll(Duration.ofMillis(500));
                records.forEach(record -> consumer.acknowledge(record, verdict(record)));
                consumer.commitSync()
                        .values()
                        .forEach(failure -> assertThat(failure).isEmpty());
                records.forEach(record -> told.add(
                        "done\t" + verdict(record).toString() + "\t" + record.partition() + "\t" + record.offset()));
            }
        }
    }

    private static AcknowledgeType verdict(ConsumerRecord<String, String> record) {
        if (record.offset() % 10 == 3 && record.deliveryCount().orElseThrow() == 1) {
            return AcknowledgeType.RELEASE;
        }
        return record.offset() % 20 == 7 ? AcknowledgeType.REJECT : AcknowledgeType.ACCEPT;
    }

    /** The records that are not accepted or rejected yet. */
    private static long lag(Admin admin) throws Exception {
        Map<TopicPartition, SharePartitionOffsetInfo> offsets = admin.listShareGroupOffsets(
                        Map.of(GROUP, new ListShareGroupOffsetsSpec()))
                .partitionsToOffsetInfo(GROUP)
                .get();
        return offsets.size() < PARTITIONS
                ? RECORDS
                : offsets.values().stream()
                        .mapToLong(info -> info.lag().orElseThrow())
                        .sum();
    }

    private static void end(List<Process> programs) throws Exception {
        for (Process program : programs) {
            program.getOutputStream().close();
        }
        for (Process program : programs) {
            boolean hasEnded = program.waitFor(Clients.PATIENCE.toSeconds(), TimeUnit.SECONDS);
            program.destroyForcibly();
            assertThat(hasEnded).isTrue();
            assertThat(program.exitValue()).isZero();
        }
    }

    /** The lines of a killed program; the last one may be cut. */
    private static List<String> completeLines(Path out) throws IOException {
        String text = Files.readString(out);
        return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
    }

    private static void requireEachOnce(List<String> lines, List<String> ofKilled) {
        List<String> finished = new ArrayList<>();
        for (List<String> some : List.of(lines, ofKilled)) {
            some.stream()
                    .filter(line -> line.startsWith("done\taccept\t") || line.startsWith("done\treject\t"))
                    .map(ShareClientsIT::place)
                    .forEach(finished::add);
        }
        assertThat(finished).doesNotHaveDuplicates();
        Set<String> missing = new HashSet<>();
        for (int i = 0; i < RECORDS; i++) {
            missing.add(i % PARTITIONS + "\t" + i / PARTITIONS);
        }
        finished.forEach(missing::remove);
        // The killed program has sent verdicts of which it could not tell the outcome.
        assertThat(ofKilled).map(ShareClientsIT::place).containsAll(missing);
        for (String verdict : List.of("accept", "release", "reject")) {
            assertThat(lines).anyMatch(line -> line.startsWith("done\t" + verdict + "\t"));
        }
    }

    private static String place(String line) {
        String[] fields = line.split("\t");
        return fields[2] + "\t" + fields[3];
    }
}
