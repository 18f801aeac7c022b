package io.rivulet.broker.group.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.topic.Topic;
import io.rivulet.protocol.message.ConsumerGroupHeartbeatRequest;
import io.rivulet.protocol.message.ConsumerGroupHeartbeatRequest.TopicPartitions;
import io.rivulet.protocol.message.ConsumerGroupHeartbeatResponse;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Random clients, topics, failures and restarts with one group. At all times no queue has two users, each user may
 * commit its offset, and epochs do not decrease. When the events end, every subscribed queue gets a user, and the log
 * has the state of the live group.
 */
final class ConsumerGroupModelTest {
    private static final int RUNS = 60;
    private static final int EVENTS = 600;

    private final long firstSeed = Long.getLong("rivulet.seed", System.nanoTime());

    @Test
    void noQueueHasTwoUsersAndEveryQueueGetsOne() {
        for (int run = 0; run < RUNS; run++) {
            long seed = firstSeed + run;
            try {
                new World(new Random(seed)).run();
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("-Drivulet.seed=" + seed, e);
            }
        }
    }

    private static final class Client {
        final String id;
        final @Nullable String instanceId;
        final List<String> names;
        final @Nullable String regex;
        final String assignor;
        /** The queues that it uses. */
        final TreeSet<Integer> uses = new TreeSet<>();
        /** The queues that it was assigned. */
        final TreeSet<Integer> assigned = new TreeSet<>();

        int epoch;
        boolean sendsAll = true;
        boolean waits;
        int beats;

        Client(String id, @Nullable String instanceId, List<String> names, @Nullable String regex, String assignor) {
            this.id = id;
            this.instanceId = instanceId;
            this.names = names;
            this.regex = regex;
            this.assignor = assignor;
        }

        void drop() {
            uses.clear();
            assigned.clear();
            epoch = 0;
            sendsAll = true;
        }
    }

    private static final class World {
        private static final int MAX_CLIENTS = 8;

        private final Random random;
        private final TestGroup world = new TestGroup();
        private final Map<String, Client> clients = new TreeMap<>();
        private final TreeSet<String> names = new TreeSet<>();
        private int nextName;
        private int lastGroupEpoch;

        World(Random random) {
            this.random = random;
        }

        void run() {
            createTopic();
            for (int i = 0; i < EVENTS; i++) {
                event();
                check();
            }
            settleAll();
        }

        private void event() {
            switch (random.nextInt(20)) {
                case 0 -> createTopic();
                case 1 -> growOrDeleteTopic();
                case 2, 3 -> join();
                case 4 -> leave();
                case 5 -> crash();
                case 6 -> world.appendFails();
                case 7 -> restart();
                case 8 -> world.time.pass(random.nextInt(10) == 0 ? 20_000 : 500);
                case 9, 10 -> world.match();
                case 11, 12, 13 -> world.appendDurable();
                default -> anyone(this::beat);
            }
        }

        private void createTopic() {
            if (names.size() < 6) {
                String name = "topic" + nextName++;
                world.topics.create(name, 1 + random.nextInt(12));
                names.add(name);
            }
        }

        private void growOrDeleteTopic() {
            if (names.isEmpty() || random.nextInt(3) > 0) {
                return;
            }
            String name = any(new ArrayList<>(names));
            if (random.nextBoolean()) {
                world.topics.grow(name, 1 + random.nextInt(4));
            } else if (names.size() > 1) {
                world.topics.delete(name);
                names.remove(name);
            }
        }

        private <T> T any(List<T> things) {
            return things.get(random.nextInt(things.size()));
        }

        private void anyone(Consumer<Client> action) {
            if (!clients.isEmpty()) {
                action.accept(any(new ArrayList<>(clients.values())));
            }
        }

        private void join() {
            if (clients.size() >= MAX_CLIENTS) {
                return;
            }
            String instance = random.nextInt(3) == 0 ? "instance" + random.nextInt(3) : null;
            if (instance != null && clients.values().stream().anyMatch(client -> instance.equals(client.instanceId))) {
                return;
            }
            List<String> wanted = new ArrayList<>(names);
            wanted.removeIf(name -> random.nextInt(3) == 0);
            boolean regex = random.nextInt(4) == 0;
            Client client = new Client(
                    "client" + nextName++,
                    instance,
                    regex ? List.of() : wanted,
                    regex ? "topic[0-" + random.nextInt(9) + "]+" : null,
                    random.nextInt(10) == 0 ? "range" : "uniform");
            clients.put(client.id, client);
            beat(client);
        }

        private void leave() {
            anyone(client -> {
                int epoch = client.instanceId == null || random.nextBoolean() ? -1 : -2;
                clients.remove(client.id);
                try {
                    world.heartbeat(
                            new ConsumerGroupHeartbeatRequest()
                                    .groupId("g")
                                    .memberId(client.id)
                                    .instanceId(client.instanceId)
                                    .memberEpoch(epoch),
                            response -> {});
                } catch (RefusedException e) {
                    assertThat(e.code())
                            .isIn(
                                    ErrorCode.UNKNOWN_MEMBER_ID,
                                    ErrorCode.FENCED_INSTANCE_ID,
                                    ErrorCode.COORDINATOR_LOAD_IN_PROGRESS);
                }
            });
        }

        /** The client crashes: it sends no more requests, and its session expires. */
        private void crash() {
            if (random.nextInt(3) == 0) {
                anyone(client -> clients.remove(client.id));
            }
        }

        private void restart() {
            if (random.nextInt(3) == 0) {
                world.restart();
                clients.values().forEach(client -> {
                    client.sendsAll |= client.waits; // its response was lost
                    client.waits = false;
                });
                lastGroupEpoch = world.group().target().groupEpoch();
            }
        }

        private void beat(Client client) {
            if (client.waits) {
                if (random.nextInt(4) > 0) {
                    return;
                }
                client.waits = false; // it stops waiting for the response, and sends all fields again
                client.sendsAll = true;
            }
            // While it still applies the assignment, it does not report its queues.
            boolean done = client.sendsAll || random.nextInt(3) > 0;
            if (done) {
                client.uses.retainAll(client.assigned);
                client.uses.addAll(client.assigned);
            }
            ConsumerGroupHeartbeatRequest request = request(client, done);
            int number = ++client.beats;
            client.waits = true;
            try {
                world.heartbeat(request, response -> {
                    if (client.beats == number && client.waits && clients.get(client.id) == client) {
                        answered(client, response);
                    }
                });
            } catch (RefusedException e) {
                refused(client, e);
            }
        }

        private ConsumerGroupHeartbeatRequest request(Client client, boolean reportsQueues) {
            ConsumerGroupHeartbeatRequest request = new ConsumerGroupHeartbeatRequest()
                    .groupId("g")
                    .memberId(client.id)
                    .instanceId(client.instanceId)
                    .memberEpoch(client.epoch);
            if (client.epoch == 0 || client.sendsAll) {
                request.rebalanceTimeoutMs(60_000)
                        .serverAssignor(client.assignor)
                        .subscribedTopicNames(client.names)
                        .subscribedTopicRegex(client.regex == null ? "" : client.regex);
            }
            return reportsQueues
                    ? request.topicPartitions(client.epoch == 0 ? List.of() : partitions(client.uses))
                    : request;
        }

        private List<TopicPartitions> partitions(Set<Integer> queues) {
            List<TopicPartitions> results = new ArrayList<>();
            for (String name : names) {
                Topic topic = world.topics.topic(name);
                int[] partitions = new int[topic.partitionCount()];
                int count = 0;
                for (int i = 0; i < topic.partitionCount(); i++) {
                    if (queues.contains(topic.queueId(i))) {
                        partitions[count++] = i;
                    }
                }
                if (count > 0) {
                    results.add(new TopicPartitions().topicId(topic.id()).partitions(Arrays.copyOf(partitions, count)));
                }
            }
            return results;
        }

        private void answered(Client client, ConsumerGroupHeartbeatResponse response) {
            client.waits = false;
            client.sendsAll = false;
            assertThat(response.memberId()).isEqualTo(client.id);
            assertThat(response.memberEpoch()).isPositive().isGreaterThanOrEqualTo(client.epoch);
            client.epoch = response.memberEpoch();
            ConsumerGroupHeartbeatResponse.Assignment assignment = response.assignment();
            if (assignment != null) {
                client.assigned.clear();
                for (ConsumerGroupHeartbeatResponse.TopicPartitions partitions : assignment.topicPartitions()) {
                    Topic topic = world.topics.catalogue().find(partitions.topicId());
                    for (int partition : partitions.partitions()) {
                        if (topic != null) {
                            client.assigned.add(topic.queueId(partition));
                        }
                    }
                }
            }
        }

        private void refused(Client client, RefusedException refusal) {
            client.waits = false;
            switch (refusal.code()) {
                case FENCED_MEMBER_EPOCH, UNKNOWN_MEMBER_ID -> client.drop();
                case UNRELEASED_INSTANCE_ID, FENCED_INSTANCE_ID -> clients.remove(client.id);
                case COORDINATOR_LOAD_IN_PROGRESS -> client.sendsAll = true;
                default -> throw refusal;
            }
        }

        // ---- checks ----

        private void check() {
            TreeMap<Integer, String> users = new TreeMap<>();
            for (Client client : clients.values()) {
                ConsumerMember member = world.group().members().find(client.id);
                if (member == null || client.epoch > member.epoch) {
                    continue; // fenced: its session has expired, or a crash undid its epoch
                }
                for (int queueId : client.uses) {
                    if (!exists(queueId)) {
                        continue; // its topic was deleted, so no other member can get it
                    }
                    String other = users.put(queueId, client.id);
                    assertThat(other)
                            .as("another user of %s than %s", queueId, client.id)
                            .isNull();
                    assertThat(member.owned().contains(queueId))
                            .as("%s uses %s", client.id, queueId)
                            .isTrue();
                    assertThat(member.since.hasSince(queueId, client.epoch))
                            .as("%s may commit %s", client.id, queueId)
                            .isTrue();
                }
            }
            assertThat(world.group().target().groupEpoch()).isGreaterThanOrEqualTo(lastGroupEpoch);
            lastGroupEpoch = world.group().target().groupEpoch();
        }

        private boolean exists(int queueId) {
            boolean[] found = {false};
            names.forEach(name -> world.topics
                    .topic(name)
                    .forEachRange((first, count) -> found[0] |= first <= queueId && queueId < first + count));
            return found[0];
        }

        private void settleAll() {
            for (int round = 0; round < 60; round++) {
                world.settle();
                world.time.pass(2_000);
                for (Client client : new ArrayList<>(clients.values())) {
                    client.sendsAll |= client.waits; // its response was lost
                    client.waits = false;
                    if (client.epoch == 0) {
                        client.drop();
                    }
                    beat(client);
                    world.settle();
                    client.uses.retainAll(client.assigned);
                    client.uses.addAll(client.assigned);
                }
                check();
            }
            assertThat(world.group().stateName()).isEqualTo(clients.isEmpty() ? "Empty" : "Stable");
            assertThat(world.group().members().all().stream().map(member -> member.id))
                    .containsExactlyInAnyOrderElementsOf(clients.keySet());
            TreeSet<Integer> wanted = new TreeSet<>();
            TreeSet<Integer> used = new TreeSet<>();
            for (Client client : clients.values()) {
                for (String name : names) {
                    if (client.names.contains(name) || (client.regex != null && name.matches(client.regex))) {
                        world.topics.topic(name).forEachRange((first, count) -> {
                            for (int i = 0; i < count; i++) {
                                wanted.add(first + i);
                            }
                        });
                    }
                }
                used.addAll(client.uses);
            }
            assertThat(used).isEqualTo(wanted);
            sameAfterReplay();
        }

        /** Compares everything that is stored in the log. */
        private static boolean areEqual(ConsumerMember one, ConsumerMember other) {
            return one.id.equals(other.id)
                    && Objects.equals(one.instanceId, other.instanceId)
                    && Objects.equals(one.rackId, other.rackId)
                    && one.clientId.equals(other.clientId)
                    && one.clientHost.equals(other.clientHost)
                    && one.rebalanceTimeoutMillis == other.rebalanceTimeoutMillis
                    && Objects.equals(one.assignor, other.assignor)
                    && one.subscription.equals(other.subscription)
                    && Objects.equals(one.classic, other.classic)
                    && one.epoch == other.epoch
                    && one.previousEpoch == other.previousEpoch
                    && one.state == other.state
                    && one.assigned.equals(other.assigned)
                    && one.revoking.equals(other.revoking)
                    && one.since.equals(other.since)
                    && one.target.equals(other.target);
        }

        private void sameAfterReplay() {
            ConsumerGroup again = world.replayed();
            assertThat(again.target().groupEpoch())
                    .isEqualTo(world.group().target().groupEpoch());
            assertThat(again.target().targetEpoch())
                    .isEqualTo(world.group().target().targetEpoch());
            assertThat(again.target().eligibility())
                    .isEqualTo(world.group().target().eligibility());
            assertThat(again.members().all()).hasSize(world.group().members().size());
            for (ConsumerMember member : world.group().members().all()) {
                assertThat(areEqual(
                                member, Objects.requireNonNull(again.members().find(member.id))))
                        .as(member.id)
                        .isTrue();
            }
            again.close();
        }
    }
}
