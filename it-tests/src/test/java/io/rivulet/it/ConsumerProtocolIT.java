package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.ListGroupsOptions;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.SubscriptionPattern;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.GroupType;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InvalidRegularExpression;
import org.apache.kafka.common.errors.UnsupportedAssignorException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Groups of the consumer protocol (KIP-848) with Kafka's own consumer. */
@SeveralBrokers
final class ConsumerProtocolIT {
    private static final Map<String, String> BROKER = Map.of(
            "group.consumer.heartbeat.interval.ms", "100",
            "group.consumer.session.timeout.ms", "2000",
            "group.initial.rebalance.delay.ms", "0");

    private static final String COOPERATIVE = CooperativeStickyAssignor.class.getName();

    @TempDir
    private Path directory;

    private TestBroker broker;
    private final List<Member> members = new ArrayList<>();

    @BeforeEach
    void start() throws IOException {
        broker = TestBroker.start(directory, BROKER);
    }

    @AfterEach
    void stop() throws IOException {
        members.forEach(Member::close);
        broker.close();
    }

    /** A consumer on its own thread, because each must be polled all the time. */
    private final class Member {
        private final KafkaConsumer<String, String> consumer;
        private final AtomicBoolean over = new AtomicBoolean();
        private final Thread thread;
        private volatile Set<TopicPartition> owned = Set.of();
        private volatile CloseOptions.GroupMembershipOperation onClose = CloseOptions.GroupMembershipOperation.DEFAULT;

        Member(KafkaConsumer<String, String> consumer) {
            this.consumer = consumer;
            this.thread = new Thread(this::poll);
            thread.start();
            members.add(this);
        }

        private void poll() {
            try (consumer) {
                while (!over.get()) {
                    consumer.poll(Duration.ofMillis(20));
                    owned = Set.copyOf(consumer.assignment());
                }
                consumer.close(CloseOptions.timeout(Duration.ofSeconds(10)).withGroupMembershipOperation(onClose));
            }
        }

        void close() {
            close(CloseOptions.GroupMembershipOperation.DEFAULT);
        }

        void close(CloseOptions.GroupMembershipOperation operation) {
            onClose = operation;
            over.set(true);
            try {
                thread.join();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    private Member member(List<String> topics, Map<String, Object> settings) {
        KafkaConsumer<String, String> consumer = Clients.consumer(broker, consumer(settings));
        consumer.subscribe(topics);
        return new Member(consumer);
    }

    private Member classicMember(List<String> topics, Map<String, Object> settings) {
        KafkaConsumer<String, String> consumer = Clients.consumer(broker, classic(settings));
        consumer.subscribe(topics);
        return new Member(consumer);
    }

    private static Map<String, Object> consumer(Map<String, Object> settings) {
        Map<String, Object> all = new HashMap<>(Map.of(
                "group.id", "g",
                "group.protocol", "consumer",
                "auto.offset.reset", "earliest",
                "metadata.max.age.ms", "500"));
        all.putAll(settings);
        return all;
    }

    private static Map<String, Object> classic(Map<String, Object> settings) {
        Map<String, Object> all = new HashMap<>(Map.of(
                "group.id", "g",
                "group.protocol", "classic",
                "auto.offset.reset", "earliest",
                "heartbeat.interval.ms", "100",
                "metadata.max.age.ms", "500"));
        all.putAll(settings);
        return all;
    }

    @Test
    void partitionsAreSharedAndPassedOn() throws Exception {
        createTopic("shared", 6);
        Member first = member(List.of("shared"), Map.of());
        awaitOwned(6, first);

        Member second = member(List.of("shared"), Map.of());
        Member third = member(List.of("shared"), Map.of());
        awaitBalanced(6, first, second, third);

        second.close();
        awaitBalanced(6, first, third);
        first.close(CloseOptions.GroupMembershipOperation.REMAIN_IN_GROUP);
        awaitOwned(6, third); // when the session of the first has expired
    }

    @Test
    void aGroupContinuesAtItsCommittedOffsetsAlsoAfterARestart() throws Exception {
        createTopic("numbers", 3);
        produce("numbers", 0, 30);
        try (KafkaConsumer<String, String> consumer = Clients.consumer(broker, consumer(Map.of()))) {
            consumer.subscribe(List.of("numbers"));
            assertThat(Clients.poll(consumer, 30)).hasSize(30);
            consumer.commitSync();
        }
        broker.close();
        broker = TestBroker.start(directory, BROKER);
        produce("numbers", 30, 36);

        try (KafkaConsumer<String, String> consumer = Clients.consumer(broker, consumer(Map.of()))) {
            consumer.subscribe(List.of("numbers"));
            assertThat(Clients.poll(consumer, 6))
                    .extracting(ConsumerRecord::value)
                    .allSatisfy(value -> assertThat(Integer.parseInt(value)).isGreaterThanOrEqualTo(30));
        }
    }

    @Test
    void newTopicsAndPartitionsOfASubscriptionAreFound() throws Exception {
        createTopic("events-a", 2);
        createTopic("other", 2);
        KafkaConsumer<String, String> consumer = Clients.consumer(broker, consumer(Map.of()));
        consumer.subscribe(new SubscriptionPattern("events-.*"));
        Member member = new Member(consumer);
        awaitOwned(2, member);

        createTopic("events-b", 3);
        awaitOwned(5, member);
        try (Admin admin = Clients.admin(broker)) {
            admin.createPartitions(Map.of("events-a", NewPartitions.increaseTo(4)))
                    .all()
                    .get();
            awaitOwned(7, member);
        }
    }

    @Test
    void partitionsOfADeletedTopicAreRevoked() throws Exception {
        createTopic("kept", 4);
        createTopic("deleted", 3);
        // Otherwise its next metadata request would create the topic again, and its commit for the deleted topic would
        // fail.
        Member member = member(
                List.of("kept", "deleted"), Map.of("allow.auto.create.topics", "false", "enable.auto.commit", "false"));
        awaitOwned(7, member);
        try (Admin admin = Clients.admin(broker)) {
            admin.deleteTopics(List.of("deleted")).all().get();
        }
        awaitOwned(4, member);
    }

    @Test
    void aGroupChangesToTheConsumerProtocolAndBackWhileItConsumes() throws Exception {
        createTopic("shared", 6);
        Member old = classicMember(List.of("shared"), Map.of("partition.assignment.strategy", COOPERATIVE));
        Member older = classicMember(List.of("shared"), Map.of("partition.assignment.strategy", COOPERATIVE));
        awaitBalanced(6, old, older);

        Member first = member(List.of("shared"), Map.of());
        awaitBalanced(6, old, older, first);
        try (Admin admin = Clients.admin(broker)) {
            assertThat(describe(admin).type()).isEqualTo(GroupType.CONSUMER);
            old.close();
            Member second = member(List.of("shared"), Map.of());
            awaitBalanced(6, older, first, second);
            older.close();
            awaitBalanced(6, first, second);

            Member back = classicMember(List.of("shared"), Map.of("partition.assignment.strategy", COOPERATIVE));
            awaitBalanced(6, back, first, second);
            first.close();
            second.close();
            awaitOwned(6, back);
            await().atMost(Clients.PATIENCE)
                    .until(() -> describe(admin).type() == GroupType.CLASSIC
                            && describe(admin).groupState() == GroupState.STABLE);
        }
    }

    @Test
    void anInvalidPatternIsRefused() {
        try (KafkaConsumer<String, String> consumer = Clients.consumer(broker, consumer(Map.of()))) {
            consumer.subscribe(new SubscriptionPattern("events-("));
            assertThatThrownBy(() -> Clients.poll(consumer, 1)).isInstanceOf(InvalidRegularExpression.class);
        }
    }

    @Test
    void anUnknownAssignorIsRefused() {
        try (KafkaConsumer<String, String> consumer =
                Clients.consumer(broker, consumer(Map.of("group.remote.assignor", "astrology")))) {
            consumer.subscribe(List.of("any"));
            assertThatThrownBy(() -> Clients.poll(consumer, 1)).isInstanceOf(UnsupportedAssignorException.class);
        }
    }

    @Test
    void aStaticMemberKeepsItsPartitionsWhileItIsAway() throws Exception {
        createTopic("shared", 4);
        Member first = member(List.of("shared"), Map.of("group.instance.id", "one"));
        Member second = member(List.of("shared"), Map.of("group.instance.id", "two"));
        awaitBalanced(4, first, second);
        Set<TopicPartition> before = first.owned;
        Set<TopicPartition> ofTheOther = second.owned;

        first.close();
        Member again = member(List.of("shared"), Map.of("group.instance.id", "one"));
        awaitOwned(2, again);

        assertThat(again.owned).isEqualTo(before);
        assertThat(second.owned).isEqualTo(ofTheOther);
    }

    @Test
    void membersContinueAfterARestartOfTheBroker() throws Exception {
        createTopic("shared", 4);
        int port = broker.addresses().get(0).getPort();
        Member first = member(List.of("shared"), Map.of());
        Member second = member(List.of("shared"), Map.of());
        awaitBalanced(4, first, second);
        Set<TopicPartition> before = first.owned;

        broker.close();
        Map<String, String> samePort = new HashMap<>(BROKER);
        samePort.put("listeners", "PLAINTEXT://localhost:" + port);
        broker = TestBroker.start(directory, samePort);

        try (Admin admin = Clients.admin(broker)) {
            awaitState(admin, GroupState.STABLE);
            ConsumerGroupDescription group = describe(admin);
            assertThat(group.members()).hasSize(2);
        }
        awaitBalanced(4, first, second);
        assertThat(first.owned).isEqualTo(before);
    }

    @Test
    void theToolsSeeTheGroup() throws Exception {
        createTopic("shared", 4);
        Member first = member(List.of("shared"), Map.of("group.remote.assignor", "range", "client.id", "me"));
        awaitOwned(4, first);
        try (Admin admin = Clients.admin(broker)) {
            awaitState(admin, GroupState.STABLE);
            ConsumerGroupDescription group = describe(admin);
            assertThat(group.type()).isEqualTo(GroupType.CONSUMER);
            assertThat(group.partitionAssignor()).isEqualTo("range");
            assertThat(group.groupEpoch()).isEqualTo(group.targetAssignmentEpoch());
            assertThat(group.members()).singleElement().satisfies(member -> {
                assertThat(member.clientId()).isEqualTo("me");
                assertThat(member.memberEpoch()).isEqualTo(group.groupEpoch());
                assertThat(member.assignment().topicPartitions()).hasSize(4);
                assertThat(member.targetAssignment().orElseThrow().topicPartitions())
                        .hasSize(4);
            });
            assertThat(admin.listGroups(new ListGroupsOptions().withTypes(Set.of(GroupType.CONSUMER)))
                            .all()
                            .get())
                    .extracting(GroupListing::groupId)
                    .containsExactly("g");
            first.close();
            awaitState(admin, GroupState.EMPTY);
            admin.deleteConsumerGroups(List.of("g")).all().get();
            assertThat(admin.listGroups().all().get()).isEmpty();
        }
    }

    // ---- helpers ----

    private static void awaitOwned(int count, Member member) {
        await().atMost(Clients.PATIENCE).until(() -> member.owned.size() == count);
    }

    /** Waits until all partitions have an owner, and the shares differ by at most one. */
    private static void awaitBalanced(int count, Member... members) {
        await().atMost(Clients.PATIENCE).until(() -> {
            Set<String> all = new TreeSet<>();
            int least = Integer.MAX_VALUE;
            int most = 0;
            for (Member member : members) {
                Set<TopicPartition> owned = member.owned;
                owned.forEach(partition -> all.add(partition.toString()));
                least = Math.min(least, owned.size());
                most = Math.max(most, owned.size());
            }
            int sum = Stream.of(members).mapToInt(member -> member.owned.size()).sum();
            return all.size() == count && sum == count && most - least <= 1;
        });
    }

    private static ConsumerGroupDescription describe(Admin admin) throws Exception {
        return admin.describeConsumerGroups(List.of("g")).all().get().get("g");
    }

    private static void awaitState(Admin admin, GroupState state) {
        await().atMost(Clients.PATIENCE).until(() -> describe(admin).groupState() == state);
    }

    private void createTopic(String name, int partitions) throws Exception {
        try (Admin admin = Clients.admin(broker)) {
            admin.createTopics(List.of(new NewTopic(name, partitions, (short) 1)))
                    .all()
                    .get();
        }
    }

    /** Produces numbers to the partitions in turn. */
    private void produce(String topic, int from, int to) throws Exception {
        List<ProducerRecord<String, String>> records = new ArrayList<>();
        for (int i = from; i < to; i++) {
            records.add(new ProducerRecord<>(topic, i % 3, null, String.valueOf(i)));
        }
        try (KafkaProducer<String, String> producer = Clients.producer(broker, Map.of())) {
            Clients.sendAll(producer, records);
        }
    }
}
