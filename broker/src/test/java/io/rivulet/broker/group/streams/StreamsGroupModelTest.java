package io.rivulet.broker.group.streams;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.protocol.message.StreamsGroupHeartbeatRequest;
import io.rivulet.protocol.message.StreamsGroupHeartbeatResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Random members, topics, failures and restarts with one group. At all times no active task is at two members, no task
 * is twice in a process, and each member may commit for its tasks. When the events end, every task is active once, and
 * the log has the state of the live group.
 */
final class StreamsGroupModelTest {
    private static final int RUNS = 60;
    private static final int EVENTS = 500;

    private final long firstSeed = Long.getLong("rivulet.seed", System.nanoTime());

    @Test
    void noTaskIsAtTwoMembersAndEveryTaskIsAtOne() {
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
        final String processId;
        /** The tasks that it works on. */
        Tasks has = Tasks.NONE;
        /** The tasks that it was assigned. */
        Tasks assigned = Tasks.NONE;

        int epoch;
        boolean sendsAll = true;
        boolean waits;
        int beats;

        Client(String id, String processId) {
            this.id = id;
            this.processId = processId;
        }

        void drop() {
            has = Tasks.NONE;
            assigned = Tasks.NONE;
            epoch = 0;
            sendsAll = true;
        }
    }

    private static final class World {
        private static final int MAX_CLIENTS = 7;

        private final Random random;
        private final int standbys;
        private final TestStreamsGroup world;
        private final Map<String, Client> clients = new TreeMap<>();
        private int nextName;

        World(Random random) {
            this.random = random;
            this.standbys = random.nextInt(3);
            this.world = new TestStreamsGroup(random.nextBoolean() ? 0 : 3_000, standbys);
        }

        void run() {
            world.topics.create("a", 1 + random.nextInt(8));
            world.topics.create("b", 1 + random.nextInt(5));
            for (int i = 0; i < EVENTS; i++) {
                event();
                check();
            }
            settleAll();
        }

        private static StreamsGroupHeartbeatRequest.Topology topology() {
            return TestStreamsGroup.topology(
                    TestStreamsGroup.part("0", "a"), TestStreamsGroup.stateful("1", "g-changelog", "b"));
        }

        private void event() {
            switch (random.nextInt(20)) {
                case 0 -> growTopic();
                case 1, 2, 3 -> join();
                case 4 -> leave();
                case 5 -> crash();
                case 6 -> world.appendFails();
                case 7 -> restart();
                case 8 -> world.time.pass(random.nextInt(10) == 0 ? 20_000 : 500);
                case 9, 10, 11, 12 -> world.appendDurable();
                case 13 -> createInternalTopic();
                default -> {
                    Client client = any();
                    if (client != null) {
                        beat(client);
                    }
                }
            }
        }

        private void growTopic() {
            if (random.nextInt(4) == 0 && world.topics.topic("a").partitionCount() < 20) {
                world.topics.grow("a", 1 + random.nextInt(3));
            }
        }

        private void createInternalTopic() {
            if (world.topics.catalogue().find("g-changelog") == null) {
                world.topics.create("g-changelog", world.topics.topic("b").partitionCount());
            }
        }

        private @Nullable Client any() {
            List<Client> all = new ArrayList<>(clients.values());
            return all.isEmpty() ? null : all.get(random.nextInt(all.size()));
        }

        private void join() {
            if (clients.size() < MAX_CLIENTS) {
                Client client = new Client("client" + nextName++, "process" + random.nextInt(3));
                clients.put(client.id, client);
                beat(client);
            }
        }

        private void leave() {
            Client client = any();
            if (client == null) {
                return;
            }
            clients.remove(client.id);
            try {
                world.heartbeat(TestStreamsGroup.beat(client.id, -1), answer -> {});
            } catch (RefusedException e) {
                assertThat(e.code()).isEqualTo(ErrorCode.UNKNOWN_MEMBER_ID);
            }
        }

        /** The client crashes: it sends no more requests, and its session expires. */
        private void crash() {
            Client client = random.nextInt(3) == 0 ? any() : null;
            if (client != null) {
                clients.remove(client.id);
            }
        }

        private void restart() {
            if (random.nextInt(3) == 0) {
                world.restart();
                clients.values().forEach(client -> {
                    client.sendsAll |= client.waits; // its response was lost
                    client.waits = false;
                });
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
            // While it still applies the assignment, it does not report its tasks.
            boolean done = client.sendsAll || random.nextInt(3) > 0;
            if (done) {
                client.has = client.assigned;
            }
            StreamsGroupHeartbeatRequest request = client.epoch == 0
                    ? TestStreamsGroup.join(client.id, client.processId, topology())
                    : TestStreamsGroup.beat(client.id, client.epoch);
            if (done && client.epoch > 0) {
                request.activeTasks(ids(client.has.active()))
                        .standbyTasks(ids(client.has.standby()))
                        .warmupTasks(List.of());
            }
            int number = ++client.beats;
            client.waits = true;
            try {
                world.heartbeat(request, answer -> {
                    if (client.beats == number && client.waits && clients.get(client.id) == client) {
                        answered(client, answer.response());
                    }
                });
            } catch (RefusedException e) {
                refused(client, e);
            }
        }

        private static List<StreamsGroupHeartbeatRequest.TaskIds> ids(TaskSet tasks) {
            List<StreamsGroupHeartbeatRequest.TaskIds> ids = new ArrayList<>();
            tasks.forEach((id, partitions) -> ids.add(
                    new StreamsGroupHeartbeatRequest.TaskIds().subtopologyId(id).partitions(partitions)));
            return ids;
        }

        private static TaskSet tasks(List<StreamsGroupHeartbeatResponse.TaskIds> ids) {
            TaskSet.Builder tasks = new TaskSet.Builder();
            for (StreamsGroupHeartbeatResponse.TaskIds part : ids) {
                for (int partition : part.partitions()) {
                    tasks.add(part.subtopologyId(), partition);
                }
            }
            return tasks.build();
        }

        private static void answered(Client client, StreamsGroupHeartbeatResponse response) {
            client.waits = false;
            client.sendsAll = false;
            assertThat(response.memberId()).isEqualTo(client.id);
            assertThat(response.memberEpoch()).isPositive().isGreaterThanOrEqualTo(client.epoch);
            client.epoch = response.memberEpoch();
            if (response.activeTasks() != null && response.standbyTasks() != null) {
                client.assigned = new Tasks(tasks(response.activeTasks()), tasks(response.standbyTasks()));
            }
        }

        private static void refused(Client client, RefusedException refusal) {
            client.waits = false;
            if (refusal.code() != ErrorCode.FENCED_MEMBER_EPOCH && refusal.code() != ErrorCode.UNKNOWN_MEMBER_ID) {
                throw refusal;
            }
            client.drop();
        }

        // ---- checks ----

        private void check() {
            TaskSet active = TaskSet.EMPTY;
            Map<String, TaskSet> inProcesses = new TreeMap<>();
            for (Client client : clients.values()) {
                StreamsMember member = world.group().members().find(client.id);
                if (member == null || client.epoch > member.epoch) {
                    continue; // fenced: its session has expired, or a crash undid its epoch
                }
                assertThat(active.intersects(client.has.active()))
                        .as("another member has an active task of %s", client.id)
                        .isFalse();
                active = active.union(client.has.active());
                TaskSet before = inProcesses.getOrDefault(client.processId, TaskSet.EMPTY);
                assertThat(before.intersects(client.has.active()) || before.intersects(client.has.standby()))
                        .as("a task of %s is twice in its process", client.id)
                        .isFalse();
                inProcesses.put(
                        client.processId, before.union(client.has.active()).union(client.has.standby()));
                assertThat(member.owned().containsAll(client.has))
                        .as("%s has no more than it may", client.id)
                        .isTrue();
                client.has
                        .active()
                        .forEach((id, partitions) -> IntStream.of(partitions)
                                .forEach(partition -> assertThat(member.since.hasSince(id, partition, client.epoch))
                                        .as("%s may commit for %s_%d", client.id, id, partition)
                                        .isTrue()));
            }
        }

        private void settleAll() {
            createInternalTopic();
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
                    client.has = client.assigned;
                }
                check();
            }
            assertThat(world.group().stateName()).isEqualTo(clients.isEmpty() ? "Empty" : "Stable");
            int actives = 0;
            for (Client client : clients.values()) {
                actives += client.has.active().size();
            }
            int all = world.topics.topic("a").partitionCount()
                    + world.topics.topic("b").partitionCount();
            assertThat(actives).isEqualTo(clients.isEmpty() ? 0 : all);
            sameAfterReplay();
        }

        private void sameAfterReplay() {
            StreamsGroup again = world.replayed();
            StreamsGroup live = world.group();
            assertThat(again.target().groupEpoch()).isEqualTo(live.target().groupEpoch());
            assertThat(again.target().targetEpoch()).isEqualTo(live.target().targetEpoch());
            assertThat(again.target().topicsHash()).isEqualTo(live.target().topicsHash());
            assertThat(again.target().validatedTopologyEpoch())
                    .isEqualTo(live.target().validatedTopologyEpoch());
            assertThat(again.topology()).isEqualTo(live.topology());
            assertThat(again.stateName()).isEqualTo(live.stateName());
            assertThat(again.members().all()).hasSize(live.members().size());
            for (StreamsMember member : live.members().all()) {
                StreamsMember other = Objects.requireNonNull(again.members().find(member.id));
                assertThat(other)
                        .usingRecursiveComparison()
                        .ignoringFields("session", "revocation")
                        .isEqualTo(member);
            }
            again.close();
        }
    }
}
