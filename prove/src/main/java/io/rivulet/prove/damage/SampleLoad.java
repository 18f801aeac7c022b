package io.rivulet.prove.damage;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.quota.ClientQuotaAlteration;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Fills a small broker: one of everything that has a file, a snapshot or an entry. Owned by: one thread. */
public final class SampleLoad implements AutoCloseable {
    private static final int RECORDS = 700;
    private static final int[] SIZES = {20, 200, 1500, 40_000};
    private static final int SMALL_SIZES = 3;
    private static final int HUGE_BYTES = 90_000;
    private static final int DIFFERENT_BYTES = 8;
    private static final int PARTITIONS = 2;
    private static final int FOREVER_MILLIS = 2_000_000_000;
    private static final Duration POLL = Duration.ofMillis(200);
    private static final long REST_NANOS = TimeUnit.MILLISECONDS.toNanos(300);
    private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final String servers;
    private final int stage;
    private final boolean repetitive;
    private final Random random;
    private final Admin admin;

    SampleLoad(String servers, int stage) {
        this(servers, stage, false);
    }

    /** @param repetitive whether records can be compressed well */
    public SampleLoad(String servers, int stage, boolean repetitive) {
        this.servers = servers;
        this.stage = stage;
        this.repetitive = repetitive;
        this.random = new Random(stage);
        this.admin = Admin.create(Map.of("bootstrap.servers", servers));
    }

    public void run() throws ExecutionException, InterruptedException {
        if (stage == 0) {
            createTopics();
        }
        writeRecords();
        writeTransactions();
        consume();
        changeState();
    }

    /** Waits until the directory does not change: copies are taken of what is on the disk. */
    public void awaitRest(Path directory) throws IOException {
        long endNanos = System.nanoTime() + MOST_NANOS;
        SortedMap<String, String> before = Tree.contents(directory);
        while (System.nanoTime() - endNanos < 0) {
            LockSupport.parkNanos(REST_NANOS);
            SortedMap<String, String> now = Tree.contents(directory);
            if (now.equals(before)) {
                return;
            }
            before = now;
        }
        throw new IllegalStateException("the directory does not come to rest");
    }

    private void createTopics() throws ExecutionException, InterruptedException {
        admin.createTopics(List.of(
                        new NewTopic("plain", PARTITIONS, (short) 1),
                        new NewTopic("compacted", 1, (short) 1)
                                .configs(Map.of("cleanup.policy", "compact", "min.cleanable.dirty.ratio", "0.01")),
                        new NewTopic("limited", 1, (short) 1).configs(Map.of("retention.bytes", "200000")),
                        new NewTopic("huge", 1, (short) 1),
                        new NewTopic("transactions", PARTITIONS, (short) 1),
                        new NewTopic("trimmed", 1, (short) 1),
                        new NewTopic("deleted", 1, (short) 1)))
                .all()
                .get();
    }

    private Map<String, Object> settings(Map<String, Object> more) {
        Map<String, Object> settings = new HashMap<>(more);
        settings.put("bootstrap.servers", servers);
        return settings;
    }

    private KafkaProducer<byte[], byte[]> producer(Map<String, Object> more) {
        return new KafkaProducer<>(settings(more), new ByteArraySerializer(), new ByteArraySerializer());
    }

    private byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        for (int i = DIFFERENT_BYTES; repetitive && i < count; i++) {
            bytes[i] = bytes[i - DIFFERENT_BYTES];
        }
        return bytes;
    }

    private void writeRecords() throws ExecutionException, InterruptedException {
        List<String> topics = List.of("plain", "plain", "compacted", "limited", "trimmed", "deleted");
        try (KafkaProducer<byte[], byte[]> producer = producer(Map.of("batch.size", 4000, "linger.ms", 1))) {
            for (int i = 0; i < RECORDS; i++) {
                String topic = topics.get(random.nextInt(topics.size()));
                if (topic.equals("deleted") && stage > 0) {
                    continue;
                }
                int partition = topic.equals("plain") ? random.nextInt(PARTITIONS) : 0;
                int bytes = SIZES[random.nextInt(20) == 0 ? SMALL_SIZES : random.nextInt(SMALL_SIZES)];
                byte[] key = new byte[] {(byte) random.nextInt(50)};
                byte[] value = random.nextInt(30) == 0 && topic.equals("compacted") ? null : bytes(bytes);
                var unused = producer.send(new ProducerRecord<>(topic, partition, key, value));
                if (random.nextInt(10) == 0) {
                    producer.flush();
                }
            }
            for (int i = 0; i < 2; i++) {
                producer.send(new ProducerRecord<>("huge", 0, null, bytes(HUGE_BYTES + 1000 * i)))
                        .get();
                producer.send(new ProducerRecord<>("huge", 0, null, bytes(10))).get();
            }
        }
        admin.deleteRecords(Map.of(new TopicPartition("trimmed", 0), RecordsToDelete.beforeOffset(10L * (stage + 1))))
                .all()
                .get();
    }

    private void writeTransactions() throws ExecutionException, InterruptedException {
        Map<String, Object> slow = Map.of("transactional.id", "t" + stage, "transaction.timeout.ms", FOREVER_MILLIS);
        KafkaProducer<byte[], byte[]> producer = producer(slow);
        producer.initTransactions();
        for (int i = 0; i < 6; i++) {
            producer.beginTransaction();
            for (int partition = 0; partition < PARTITIONS; partition++) {
                producer.send(new ProducerRecord<>("transactions", partition, null, bytes(100)))
                        .get();
            }
            producer.sendOffsetsToTransaction(
                    Map.of(new TopicPartition("plain", 0), new OffsetAndMetadata(10L * stage + i)),
                    group("of-transactions"));
            if (i % 3 == 1) {
                producer.abortTransaction();
            } else if (i < 5) {
                producer.commitTransaction();
            } else {
                producer.flush(); // stays open
            }
        }
        producer.close(Duration.ZERO);
    }

    private ConsumerGroupMetadata group(String id) {
        try (KafkaConsumer<byte[], byte[]> outside = new KafkaConsumer<>(
                settings(Map.of("group.id", id)), new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            return outside.groupMetadata();
        }
    }

    /** Each kind of group: members that leave, so that nothing changes by itself. */
    private void consume() {
        for (String protocol : List.of("classic", "consumer")) {
            Map<String, Object> settings =
                    settings(Map.of("group.id", protocol, "group.protocol", protocol, "auto.offset.reset", "earliest"));
            try (KafkaConsumer<byte[], byte[]> consumer =
                    new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
                consumer.subscribe(List.of("plain"));
                awaitRecords(() -> !consumer.poll(POLL).isEmpty());
                consumer.commitSync(
                        Map.of(new TopicPartition("plain", 1), new OffsetAndMetadata(stage * 7L, "stage " + stage)));
            }
        }
        Map<String, Object> share = settings(Map.of("group.id", "share"));
        try (KafkaShareConsumer<byte[], byte[]> consumer =
                new KafkaShareConsumer<>(share, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.subscribe(List.of("plain"));
            awaitRecords(() -> {
                boolean any = !consumer.poll(POLL).isEmpty();
                consumer.commitSync();
                return any || stage == 0; // it begins at the end
            });
        }
    }

    private interface Poll {
        boolean hasRecords();
    }

    private static void awaitRecords(Poll poll) {
        long endNanos = System.nanoTime() + MOST_NANOS;
        while (!poll.hasRecords()) {
            if (System.nanoTime() - endNanos > 0) {
                throw new IllegalStateException("no records come");
            }
        }
    }

    private void changeState() throws ExecutionException, InterruptedException {
        admin.createAcls(List.of(new AclBinding(
                        new ResourcePattern(ResourceType.TOPIC, "of-" + stage, PatternType.PREFIXED),
                        new AccessControlEntry("User:u" + stage, "*", AclOperation.READ, AclPermissionType.ALLOW))))
                .all()
                .get();
        admin.alterUserScramCredentials(List.of(new UserScramCredentialUpsertion(
                        "u" + stage, new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_256, 4096), "secret")))
                .all()
                .get();
        admin.alterClientQuotas(List.of(new ClientQuotaAlteration(
                        new ClientQuotaEntity(Map.of(ClientQuotaEntity.USER, "u" + stage)),
                        List.of(new ClientQuotaAlteration.Op("producer_byte_rate", 1e9 + stage)))))
                .all()
                .get();
        admin.incrementalAlterConfigs(Map.of(
                        new ConfigResource(ConfigResource.Type.BROKER, "0"),
                        set("log.retention.ms", String.valueOf(FOREVER_MILLIS + stage)),
                        new ConfigResource(ConfigResource.Type.TOPIC, "plain"),
                        set("retention.ms", String.valueOf(FOREVER_MILLIS - stage)),
                        new ConfigResource(ConfigResource.Type.GROUP, "share"),
                        set("share.auto.offset.reset", "earliest")))
                .all()
                .get();
        admin.createTopics(List.of(new NewTopic("made-" + stage, 1, (short) 1)))
                .all()
                .get();
        // what is at its limit would be trimmed again at any start
        admin.incrementalAlterConfigs(Map.of(
                        new ConfigResource(ConfigResource.Type.TOPIC, "limited"), set("retention.bytes", "1000000000")))
                .all()
                .get();
        if (stage == 1) {
            admin.deleteTopics(Arrays.asList("deleted", "made-0")).all().get();
        }
    }

    private static List<AlterConfigOp> set(String key, String value) {
        return List.of(new AlterConfigOp(new ConfigEntry(key, value), OpType.SET));
    }

    @Override
    public void close() {
        admin.close();
    }
}
