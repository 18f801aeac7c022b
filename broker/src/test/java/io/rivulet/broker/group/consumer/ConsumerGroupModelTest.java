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
 * Random clients, topics, failures and restarts against one group. Whatever happens: no queue has two users, epochs do not go back,
 * and when the world calms down every queue that somebody wants has a user, and the log holds what lives.
 */
final class ConsumerGroupModelTest {
    private static final int RUNS = 60;
    private static final int EVENTS = 600;

    private final long firstSeed = Long.getLong("rivulet.seed", System.nanoTime());

    @Test
    void noQueueHasTwoUsersAndNoneIsForgotten() {
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
        /** What it uses, by topic name; what it was told to use. */
        final TreeSet<Integer> uses = new TreeSet<>();

        final TreeSet<Integer> results = new TreeSet<>();

        int epoch;
        boolean tellsAll = true;
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
            results.clear();
            epoch = 0;
            tellsAll = true;
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
            calmDown();
        }

        private void event() {
            switch (random.nextInt(20)) {
                case 0 -> createTopic();
                case 1 -> growOrDeleteTopic();
                case 2, 3 -> join();
                case 4 -> leave();
                case 5 -> die();
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

        /** It is not heard of any more, and is no user any more when its session is over. */
        private void die() {
            if (random.nextInt(3) == 0) {
                anyone(client -> clients.remove(client.id));
            }
        }

        private void restart() {
            if (random.nextInt(3) == 0) {
                world.restart();
                clients.values().forEach(client -> client.waits = false);
                lastGroupEpoch = world.group().target().groupEpoch();
            }
        }

        private void beat(Client client) {
            if (client.waits) {
                if (random.nextInt(4) > 0) {
                    return;
                }
                client.waits = false; // it gives up on the answer, and says everything again
                client.tellsAll = true;
            }
            // While it is still busy with doing what it was told, it says nothing of what it has.
            boolean done = client.tellsAll || random.nextInt(3) > 0;
            if (done) {
                client.uses.retainAll(client.results);
                client.uses.addAll(client.results);
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

        private ConsumerGroupHeartbeatRequest request(Client client, boolean saysWhatItHas) {
            ConsumerGroupHeartbeatRequest request = new ConsumerGroupHeartbeatRequest()
                    .groupId("g")
                    .memberId(client.id)
                    .instanceId(client.instanceId)
                    .memberEpoch(client.epoch);
            if (client.epoch == 0 || client.tellsAll) {
                request.rebalanceTimeoutMs(60_000)
                        .serverAssignor(client.assignor)
                        .subscribedTopicNames(client.names)
                        .subscribedTopicRegex(client.regex == null ? "" : client.regex);
            }
            return saysWhatItHas
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
            client.tellsAll = false;
            assertThat(response.memberId()).isEqualTo(client.id);
            assertThat(response.memberEpoch()).isPositive().isGreaterThanOrEqualTo(client.epoch);
            client.epoch = response.memberEpoch();
            ConsumerGroupHeartbeatResponse.Assignment assignment = response.assignment();
            if (assignment != null) {
                client.results.clear();
                for (ConsumerGroupHeartbeatResponse.TopicPartitions partitions : assignment.topicPartitions()) {
                    Topic topic = world.topics.catalogue().find(partitions.topicId());
                    for (int partition : partitions.partitions()) {
                        if (topic != null) {
                            client.results.add(topic.queueId(partition));
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
                case COORDINATOR_LOAD_IN_PROGRESS -> client.tellsAll = true;
                default -> throw refusal;
            }
        }

        // ---- what must hold ----

        private void check() {
            TreeMap<Integer, String> users = new TreeMap<>();
            for (Client client : clients.values()) {
                ConsumerMember member = world.group().members().find(client.id);
                if (member == null || client.epoch > member.epoch) {
                    continue; // fenced: its session is over, or it was results what now nobody knows
                }
                for (int queueId : client.uses) {
                    if (!exists(queueId)) {
                        continue; // its topic was deleted, and nobody else can get it
                    }
                    String other = users.put(queueId, client.id);
                    assertThat(other)
                            .as("user of %s beside %s", queueId, client.id)
                            .isNull();
                    assertThat(member.owned().contains(queueId))
                            .as("%s uses %s", client.id, queueId)
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

        private void calmDown() {
            for (int round = 0; round < 60; round++) {
                world.settle();
                world.time.pass(2_000);
                for (Client client : new ArrayList<>(clients.values())) {
                    client.tellsAll |= client.waits; // that one's answer was lost
                    client.waits = false;
                    if (client.epoch == 0) {
                        client.drop();
                    }
                    beat(client);
                    world.settle();
                    client.uses.retainAll(client.results);
                    client.uses.addAll(client.results);
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
                assertThat(member.sameAs(Objects.requireNonNull(again.members().find(member.id))))
                        .as(member.id)
                        .isTrue();
            }
            again.close();
        }
    }
}
