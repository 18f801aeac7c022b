package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.it.ShareHistory.Delivery;
import io.rivulet.it.ShareHistory.Ending;
import io.rivulet.it.ShareHistory.Letter;
import io.rivulet.it.ShareHistory.Outcome;
import io.rivulet.it.ShareHistory.Place;
import io.rivulet.it.ShareHistory.Span;
import io.rivulet.it.ShareHistory.Verdict;
import io.rivulet.store.faults.Ports;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.StringSerializer;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * kill -9 in a loop while members of a share group accept, release, reject, keep what they got, leave, and lose their
 * connections. Half of the records are in transactions that commit or abort. The group has a dead-letter topic. {@code
 * -Drivulet.kills=1000} for more.
 */
@Tag("faults")
final class ShareKillIT {
    private static final int KILLS = Integer.getInteger("rivulet.kills", 20);
    private static final long SEED = Long.getLong("rivulet.seed", System.nanoTime());
    private static final String TOPIC = "t";
    private static final String GROUP = "g";
    private static final String LETTERS = "dlq.t";
    private static final int PARTITIONS = 3;
    private static final int MEMBERS = 3;
    private static final int LOCK_MILLIS = 2_000;
    private static final int LIMIT = 5;
    private static final int ANSWERS_PER_ROUND = 40;
    private static final int EMPTY_FETCHES_AT_THE_END = 3;

    @TempDir
    private Path directory;

    private final ShareHistory history = new ShareHistory(LOCK_MILLIS, LIMIT);
    private final AtomicInteger sessions = new AtomicInteger();
    private final AtomicInteger answered = new AtomicInteger();
    private final AtomicBoolean writingEnds = new AtomicBoolean();
    private final AtomicBoolean readingEnds = new AtomicBoolean();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private volatile boolean isUp;
    private int port;
    private Uuid topic = Uuid.ZERO_UUID;

    @Test
    void whatWasAcceptedIsNotDeliveredAgainAndWhatIsArchivedHasALetter() throws Exception {
        ServerProcess server = start(Ports.free());
        port = server.awaitReady();
        createTopicAndGroup();
        isUp = true;
        Random random = new Random(SEED);
        Thread writer = run(new Random(random.nextLong()), this::write);
        List<Thread> members = new ArrayList<>();
        for (int i = 0; i < MEMBERS; i++) {
            members.add(run(new Random(random.nextLong()), this::share));
        }
        try {
            for (int round = 0; round < KILLS; round++) {
                awaitMoreAnswers(1 + random.nextInt(2 * ANSWERS_PER_ROUND));
                isUp = false;
                Span begun = history.begin();
                server.kill();
                history.killed(history.end(begun));
                server = start(port);
                assertThat(server.awaitReady()).isEqualTo(port);
                isUp = true;
            }
            awaitMoreAnswers(ANSWERS_PER_ROUND);
            writingEnds.set(true);
            join(writer);
            readingEnds.set(true);
            for (Thread member : members) {
                join(member);
            }
            drain();
            requireAllIsWell();
        } finally {
            writingEnds.set(true);
            readingEnds.set(true);
            server.close();
        }
    }

    private void requireAllIsWell() {
        // The last letters are written after their members have left.
        Awaitility.await().atMost(Clients.PATIENCE).untilAsserted(() -> {
            history.letters(letters());
            assertThat(history.violations()).as("seed %d", SEED).isEmpty();
        });
        assertThat(history.count(Verdict.ACCEPT, Outcome.DONE)).as("accepted").isPositive();
        assertThat(history.count(Verdict.RELEASE, Outcome.DONE)).as("released").isPositive();
        assertThat(history.count(Verdict.REJECT, Outcome.DONE)).as("rejected").isPositive();
        assertThat(history.redeliveries()).as("delivered again").isPositive();
    }

    private List<Letter> letters() {
        List<TopicPartition> partitions = IntStream.range(0, PARTITIONS)
                .mapToObj(i -> new TopicPartition(LETTERS, i))
                .toList();
        try (KafkaConsumer<String, String> consumer = Clients.consumer("localhost:" + port, Map.of())) {
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            long count = consumer.endOffsets(partitions).values().stream()
                    .mapToLong(Long::longValue)
                    .sum();
            return Clients.poll(consumer, (int) count).stream()
                    .map(ShareKillIT::letter)
                    .toList();
        }
    }

    private static Letter letter(ConsumerRecord<String, String> record) {
        Place place = new Place(
                Integer.parseInt(header(record, "__dlq.errors.partition")),
                Long.parseLong(header(record, "__dlq.errors.offset")));
        boolean rejected = header(record, "__dlq.errors.message").contains("rejected");
        return new Letter(place, record.value(), rejected ? Ending.REJECTED : Ending.EXHAUSTED);
    }

    private static String header(ConsumerRecord<String, String> record, String name) {
        return new String(record.headers().lastHeader(name).value(), StandardCharsets.UTF_8);
    }

    private ServerProcess start(int onPort) throws IOException {
        return ServerProcess.start(
                directory,
                "--override=listeners=PLAINTEXT://localhost:" + onPort,
                "--override=group.share.min.record.lock.duration.ms=" + LOCK_MILLIS,
                "--override=group.share.record.lock.duration.ms=" + LOCK_MILLIS,
                "--override=group.share.delivery.count.limit=" + LIMIT,
                "--override=rivulet.tail.bytes=" + (16 << 20));
    }

    private void createTopicAndGroup() throws ExecutionException, InterruptedException {
        try (Admin admin = Clients.admin("localhost:" + port)) {
            NewTopic letters = new NewTopic(LETTERS, PARTITIONS, (short) 1)
                    .configs(Map.of("errors.deadletterqueue.group.enable", "true"));
            topic = admin.createTopics(List.of(new NewTopic(TOPIC, PARTITIONS, (short) 1), letters))
                    .topicId(TOPIC)
                    .get();
            admin.incrementalAlterConfigs(Map.of(
                            new ConfigResource(ConfigResource.Type.GROUP, GROUP),
                            List.of(
                                    set("share.auto.offset.reset", "earliest"),
                                    set("errors.deadletterqueue.topic.name", LETTERS),
                                    set("errors.deadletterqueue.copy.record.enable", "true"),
                                    set("share.isolation.level", "read_committed"))))
                    .all()
                    .get();
        }
    }

    private static AlterConfigOp set(String key, String value) {
        return new AlterConfigOp(new ConfigEntry(key, value), AlterConfigOp.OpType.SET);
    }

    private interface Work {
        void run(Random random) throws Exception;
    }

    private Thread run(Random random, Work work) {
        Thread thread = new Thread(() -> {
            try {
                work.run(random);
            } catch (Exception | AssertionError e) {
                failure.compareAndSet(null, e);
            }
        });
        thread.start();
        return thread;
    }

    private void join(Thread thread) throws InterruptedException {
        thread.join(Clients.PATIENCE.toMillis());
        assertThat(thread.isAlive()).isFalse();
        assertThat(failure.get()).as("seed %d", SEED).isNull();
    }

    private void awaitMoreAnswers(int more) {
        int wanted = answered.get() + more;
        Awaitility.await()
                .atMost(Clients.PATIENCE)
                .pollInterval(Duration.ofMillis(1))
                .until(() -> answered.get() >= wanted || failure.get() != null);
        assertThat(failure.get()).as("seed %d", SEED).isNull();
    }

    // ---- the writer ----

    /** Writes until the end, some of it in transactions. */
    private void write(Random random) {
        try (KafkaProducer<String, String> plain = producer(Map.of());
                KafkaProducer<String, String> transactional = producer(Map.of("transactional.id", "w"))) {
            transactional.initTransactions();
            for (int number = 0; !writingEnds.get(); number++) {
                if (random.nextBoolean()) {
                    writePlain(plain, number, random);
                } else {
                    writeTransaction(transactional, number, random);
                }
            }
        }
    }

    private KafkaProducer<String, String> producer(Map<String, Object> more) {
        Map<String, Object> settings = new HashMap<>(more);
        settings.put("bootstrap.servers", "localhost:" + port);
        settings.put("reconnect.backoff.ms", 20);
        settings.put("reconnect.backoff.max.ms", 100);
        settings.put("retry.backoff.ms", 20);
        settings.put("retry.backoff.max.ms", 100);
        return new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer());
    }

    private void writePlain(KafkaProducer<String, String> producer, int number, Random random) {
        List<String> values = new ArrayList<>();
        Span begun = history.begin();
        for (int i = random.nextInt(5); i >= 0; i--) {
            values.add(number + "-" + i);
            var unused = producer.send(new ProducerRecord<>(TOPIC, random.nextInt(PARTITIONS), null, number + "-" + i));
        }
        producer.flush();
        values.forEach(value -> history.written(value, history.end(begun)));
    }

    private void writeTransaction(KafkaProducer<String, String> producer, int number, Random random) {
        List<String> values = new ArrayList<>();
        producer.beginTransaction();
        for (int i = random.nextInt(5); i >= 0; i--) {
            values.add(number + "-" + i);
            var unused = producer.send(new ProducerRecord<>(TOPIC, random.nextInt(PARTITIONS), null, number + "-" + i));
        }
        producer.flush();
        boolean commits = random.nextInt(4) > 0;
        Span begun = history.begin();
        if (commits) {
            producer.commitTransaction();
            values.forEach(value -> history.written(value, history.end(begun)));
        } else {
            producer.abortTransaction();
            values.forEach(value -> history.aborted(value, history.end(begun)));
        }
    }

    // ---- members ----

    private void share(Random random) throws IOException {
        while (!readingEnds.get()) {
            try (ShareMember member = join()) {
                for (int i = 1 + random.nextInt(50); i > 0 && !readingEnds.get(); i--) {
                    shareOnce(member, random);
                }
                if (random.nextBoolean()) {
                    member.leave();
                }
            } catch (IOException e) {
                awaitBroker(e);
            }
        }
    }

    private ShareMember join() throws IOException {
        return new ShareMember(port, GROUP, topic, PARTITIONS, history, sessions.incrementAndGet());
    }

    private void shareOnce(ShareMember member, Random random) throws IOException {
        Map<Delivery, Verdict> verdicts = new HashMap<>();
        for (Delivery one : member.fetch(1 + random.nextInt(20), 100, Map.of())) {
            int dice = random.nextInt(20);
            if (dice > 0) { // otherwise it keeps the record
                verdicts.put(one, dice < 15 ? Verdict.ACCEPT : dice < 18 ? Verdict.RELEASE : Verdict.REJECT);
            }
        }
        if (random.nextBoolean()) {
            member.answer(verdicts);
        } else {
            Map<Delivery, Verdict> kept = new HashMap<>();
            member.fetch(1, 0, verdicts).forEach(one -> kept.put(one, Verdict.ACCEPT));
            member.answer(kept);
        }
        answered.addAndGet(verdicts.size());
    }

    private void awaitBroker(IOException cause) {
        Awaitility.await()
                .atMost(Clients.PATIENCE)
                .pollInterval(Duration.ofMillis(1))
                .until(() -> isUp || readingEnds.get() || failure.get() != null);
        if (readingEnds.get()) {
            failure.compareAndSet(null, cause);
        }
    }

    /** Accepts all that is left. No member has anything any more. */
    private void drain() throws IOException {
        try (ShareMember member = join()) {
            for (int empty = 0; empty < EMPTY_FETCHES_AT_THE_END; ) {
                Map<Delivery, Verdict> verdicts = new HashMap<>();
                member.fetch(500, 500, Map.of()).forEach(one -> verdicts.put(one, Verdict.ACCEPT));
                member.answer(verdicts);
                empty = verdicts.isEmpty() ? empty + 1 : 0;
            }
            member.leave();
        } catch (KafkaException e) {
            throw new AssertionError("seed " + SEED, e);
        }
    }
}
