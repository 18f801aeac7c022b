package io.rivulet.prove.clock;

import io.rivulet.prove.load.Clients;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.jspecify.annotations.Nullable;

/** A record of a share group that its member keeps goes to another member when the lock is over. */
final class ShareLockProbe extends Probe {
    private static final Duration POLL = Duration.ofMillis(50);

    private final String group = "locks-" + System.nanoTime();
    private final String topic = "of-" + group;
    private final int port;
    private final int lockMillis;

    ShareLockProbe(int port, int lockMillis, Promise promise) {
        super("a lock of " + lockMillis + " ms", promise);
        this.port = port;
        this.lockMillis = lockMillis;
    }

    @Override
    @Nullable
    String run() throws Exception {
        try (Admin admin = Admin.create(Clients.settings(port, Map.of()))) {
            configure(admin);
            return probe(admin);
        }
    }

    private @Nullable String probe(Admin admin) throws Exception {
        try (KafkaProducer<String, String> producer = Clients.producer(port, Map.of());
                KafkaShareConsumer<String, String> first = member();
                KafkaShareConsumer<String, String> second = member()) {
            // What a member needs to join must not be part of the time.
            awaitBeginning(() -> first.poll(POLL).isEmpty() && second.poll(POLL).isEmpty() && haveJoined(admin));
            long earliestNanos = System.nanoTime();
            producer.send(new ProducerRecord<>(topic, 0, "", "locked")).get();
            AtomicBoolean firstHasIt = new AtomicBoolean();
            awaitBeginning(() -> {
                firstHasIt.set(!first.poll(POLL).isEmpty());
                return firstHasIt.get() || !second.poll(POLL).isEmpty();
            });
            KafkaShareConsumer<String, String> other = firstHasIt.get() ? second : first;
            return await(
                    earliestNanos, System.nanoTime(), () -> !other.poll(POLL).isEmpty());
        }
    }

    private void configure(Admin admin) throws Exception {
        // of one partition, so that both members have it
        admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1))).all().get();
        admin.incrementalAlterConfigs(Map.of(
                        new ConfigResource(ConfigResource.Type.GROUP, group),
                        List.of(
                                set("share.auto.offset.reset", "earliest"),
                                set("share.record.lock.duration.ms", String.valueOf(lockMillis)))))
                .all()
                .get();
    }

    /** Whether both members have the partition. */
    private boolean haveJoined(Admin admin) throws InterruptedException, ExecutionException {
        try {
            return admin.describeShareGroups(List.of(group)).all().get().values().stream()
                            .flatMap(described -> described.members().stream())
                            .filter(member ->
                                    !member.assignment().topicPartitions().isEmpty())
                            .count()
                    == 2;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof GroupIdNotFoundException) {
                return false;
            }
            throw e;
        }
    }

    private static AlterConfigOp set(String name, String value) {
        return new AlterConfigOp(new ConfigEntry(name, value), AlterConfigOp.OpType.SET);
    }

    private KafkaShareConsumer<String, String> member() {
        KafkaShareConsumer<String, String> member = new KafkaShareConsumer<>(
                Clients.settings(port, Map.of("group.id", group, "share.acknowledgement.mode", "explicit")),
                new StringDeserializer(),
                new StringDeserializer());
        member.subscribe(List.of(topic));
        return member;
    }
}
