package io.rivulet.broker.group.classic;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.coordinator.LongQuestions;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.group.InPlace;
import io.rivulet.protocol.message.DescribeGroupsRequest;
import io.rivulet.protocol.message.DescribeGroupsResponse.DescribedGroup;
import io.rivulet.protocol.message.DescribeGroupsResponse.DescribedGroupMember;
import io.rivulet.protocol.message.HeartbeatRequest;
import io.rivulet.protocol.message.JoinGroupRequest;
import io.rivulet.protocol.message.JoinGroupRequest.JoinGroupRequestProtocol;
import io.rivulet.protocol.message.JoinGroupResponse;
import io.rivulet.protocol.message.LeaveGroupRequest;
import io.rivulet.protocol.message.LeaveGroupRequest.MemberIdentity;
import io.rivulet.protocol.message.LeaveGroupResponse.MemberResponse;
import io.rivulet.protocol.message.OffsetCommitRequest;
import io.rivulet.protocol.message.OffsetCommitRequest.OffsetCommitRequestPartition;
import io.rivulet.protocol.message.OffsetCommitRequest.OffsetCommitRequestTopic;
import io.rivulet.protocol.message.SyncGroupRequest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Sends random events to the group and to a model of Kafka's rules. After each event, all responses and the state must
 * be equal.
 */
final class ClassicGroupModelTest {
    private static final int RUNS = 20;
    private static final int EVENTS = 1500;
    private static final String GROUP = "g";
    private static final long MILLI = 1_000_000;

    @Test
    void theGroupRespondsLikeTheModelInEveryTransitionAndWithEveryErrorCode() {
        Set<String> transitions = new TreeSet<>();
        Set<ErrorCode> codes = EnumSet.noneOf(ErrorCode.class);
        for (long seed = 1; seed <= RUNS; seed++) {
            Run run = new Run(seed);
            run.all();
            transitions.addAll(run.model.transitions);
            codes.addAll(run.codes);
        }

        assertThat(transitions)
                .containsExactlyInAnyOrder(
                        "EMPTY>PREPARING",
                        "PREPARING>COMPLETING",
                        "PREPARING>EMPTY",
                        "COMPLETING>STABLE",
                        "COMPLETING>PREPARING",
                        "STABLE>PREPARING",
                        "STABLE>STABLE");
        assertThat(codes)
                .contains(
                        ErrorCode.NONE,
                        ErrorCode.UNKNOWN_MEMBER_ID,
                        ErrorCode.ILLEGAL_GENERATION,
                        ErrorCode.REBALANCE_IN_PROGRESS,
                        ErrorCode.INCONSISTENT_GROUP_PROTOCOL,
                        ErrorCode.MEMBER_ID_REQUIRED,
                        ErrorCode.FENCED_INSTANCE_ID,
                        ErrorCode.GROUP_MAX_SIZE_REACHED,
                        ErrorCode.COORDINATOR_NOT_AVAILABLE);
    }

    @Test
    void theGroupRespondsLikeTheModelInARandomRun() {
        new Run(Long.getLong("rivulet.seed", ThreadLocalRandom.current().nextLong())).all();
    }

    private static final class Run {
        final ClassicModel model =
                new ClassicModel(InPlace.SETTINGS.maxMembers(), InPlace.SETTINGS.initialRebalanceDelayMillis());
        final Set<ErrorCode> codes = EnumSet.noneOf(ErrorCode.class);
        private final long seed;
        private final Random random;
        /** Members send heartbeats, but do not always sync. */
        private final boolean lazy;
        /** Static members come back often, and the disk is often full. */
        private final boolean restless;

        private final InPlace real = new InPlace();
        private final TreeMap<Integer, String> answers = new TreeMap<>();
        /** All member ids so far, for requests that come too late. */
        private final List<String> ids = new ArrayList<>(List.of("unknown-0"));

        private int calls;
        private int event;
        private String last = "";

        Run(long seed) {
            this.seed = seed;
            this.random = new Random(seed);
            this.lazy = seed % 3 == 1;
            this.restless = seed % 3 == 2;
            real.createTopic("t", 1);
            // The offset keeps the idle group, and so its generation.
            commit("", null, -1);
            model.stores.clear();
            real.allDurable();
        }

        void all() {
            for (event = 0; event < EVENTS; event++) {
                boolean longWhile = random.nextInt(restless ? 100 : 20) == 0;
                long nanos = 1 + random.nextLong(longWhile ? 40_000 * MILLI : 400 * MILLI);
                last = "time " + nanos;
                real.advance(nanos);
                model.until(real.nanos());
                compare();
                one();
                compare();
            }
            real.allDurable();
            assertThat(real.restarted(InPlace.SETTINGS).dump()).as(where()).isEqualTo(real.dump());
        }

        private void one() {
            int kind = random.nextInt(100);
            if (lazy && model.state == ClassicModel.State.STABLE && kind < 90) {
                heartbeat();
            } else if (restless && model.state == ClassicModel.State.STABLE && kind < 60) {
                join();
            } else if (model.state == ClassicModel.State.COMPLETING && kind < 70) {
                if (random.nextBoolean()) {
                    sync();
                } else {
                    settle();
                }
            } else if (kind < 30) {
                join();
            } else if (kind < 55) {
                sync();
            } else if (kind < 70) {
                heartbeat();
            } else if (kind < 75) {
                leave();
            } else if (kind < 80) {
                last = "commit";
                String id = anyId();
                String instance = instanceOf(id);
                int generation = random.nextInt(5) == 0 ? -1 : anyGeneration();
                ErrorCode results = commit(id, instance, generation);
                assertThat(results).as(where()).isEqualTo(model.commit(id, instance, generation));
            } else {
                settle();
            }
        }

        private void settle() {
            if (!model.stores.isEmpty()) {
                boolean stored = random.nextInt(restless ? 3 : 8) > 0;
                last = "settle " + stored;
                model.stores.remove().accept(stored);
                if (stored) {
                    real.oneDurable();
                } else {
                    real.oneFails(new RefusedException(ErrorCode.KAFKA_STORAGE_ERROR, "no space"));
                }
            }
        }

        private void join() {
            ClassicModel.Member wish = new ClassicModel.Member();
            int version = random.nextBoolean() ? 9 : random.nextBoolean() ? 7 : 3;
            boolean isStatic = version >= 5 && random.nextInt(6) < (restless ? 5 : 2);
            wish.instance = isStatic ? "static" + random.nextInt(3) : null;
            if (random.nextInt(6) < (restless ? 2 : 4)) {
                wish.id = anyId();
                wish.instance = version >= 5 && random.nextInt(8) > 0 ? instanceOf(wish.id) : wish.instance;
            }
            wish.protocols = switch (random.nextInt(12)) {
                case 0 -> List.of("b");
                case 1 -> List.of();
                case 2 -> List.of("c");
                case 3, 4 -> List.of("b", "a");
                default -> List.of("a", "b");
            };
            wish.content = random.nextInt(12) == 0 ? 1 : 0;
            int session = (lazy ? 30_001 : 6001) + 2 * random.nextInt(5000);
            int rebalance = 2 * (3000 + random.nextInt(lazy ? 1000 : 9000));
            wish.sessionNanos = session * MILLI;
            wish.rebalanceNanos = rebalance * MILLI;
            JoinGroupRequest request = new JoinGroupRequest()
                    .groupId(GROUP)
                    .memberId(wish.id)
                    .groupInstanceId(wish.instance)
                    .sessionTimeoutMs(session)
                    .rebalanceTimeoutMs(rebalance)
                    .protocolType("test")
                    .protocols(wish.protocols.stream()
                            .map(name -> new JoinGroupRequestProtocol()
                                    .name(name)
                                    .metadata(new byte[] {(byte) wish.content}))
                            .toList());
            int call = calls++;
            last = "join " + call + " '" + wish.id + "' " + wish.instance + " " + wish.protocols + " v" + version;
            model.join(call, wish, version);
            real.groups.join(
                    new JoinCall(request, (short) version, "client", "/host", response -> answered(call, response)));
        }

        private void answered(int call, JoinGroupResponse response) {
            ErrorCode code = code(response.errorCode());
            if (!response.memberId().isEmpty()) {
                ids.add(response.memberId());
            }
            String answer = code != ErrorCode.NONE
                    ? ClassicModel.error(code, response.memberId())
                    : "JOIN " + code + " " + response.generationId() + " " + response.protocolName() + " "
                            + response.leader() + " " + response.memberId() + " "
                            + response.members().size() + " " + response.skipAssignment();
            assertThat(answers.put(call, answer)).as("answered once").isNull();
        }

        private void sync() {
            String leader = lazy || random.nextInt(3) > 0 ? model.leader : null;
            String id = leader == null ? anyId() : leader;
            String instance = instanceOf(id);
            int generation = anyGeneration();
            String name = random.nextInt(10) == 0 ? "other" : random.nextBoolean() ? model.protocol : null;
            int call = calls++;
            last = "sync " + call + " " + id;
            model.sync(call, id, instance, generation, name);
            real.groups.sync(
                    new SyncGroupRequest()
                            .groupId(GROUP)
                            .memberId(id)
                            .groupInstanceId(instance)
                            .generationId(generation)
                            .protocolName(name),
                    response -> assertThat(answers.put(call, "SYNC " + code(response.errorCode())))
                            .isNull());
        }

        private void heartbeat() {
            String id = anyId();
            String instance = instanceOf(id);
            int generation = anyGeneration();
            last = "heartbeat " + id;
            ErrorCode expected = model.heartbeat(id, instance, generation);
            ErrorCode results = code(real.groups
                    .heartbeat(new HeartbeatRequest()
                            .groupId(GROUP)
                            .memberId(id)
                            .groupInstanceId(instance)
                            .generationId(generation))
                    .errorCode());
            assertThat(results).as(where()).isEqualTo(expected);
        }

        private void leave() {
            List<String> leaving = new ArrayList<>();
            List<@Nullable String> instances = new ArrayList<>();
            List<MemberIdentity> members = new ArrayList<>();
            for (int i = random.nextInt(2); i >= 0; i--) {
                String id = random.nextInt(4) == 0 ? "" : anyId();
                String instance = id.isEmpty() ? "static" + random.nextInt(3) : instanceOf(id);
                leaving.add(id);
                instances.add(instance);
                members.add(new MemberIdentity().memberId(id).groupInstanceId(instance));
            }
            last = "leave " + leaving + instances;
            List<ErrorCode> expected = model.leave(leaving, instances);
            List<ErrorCode> results =
                    real
                            .groups
                            .leave(new LeaveGroupRequest().groupId(GROUP).members(members), (short) 5)
                            .members()
                            .stream()
                            .map(MemberResponse::errorCode)
                            .map(this::code)
                            .toList();
            assertThat(results).as(where()).isEqualTo(expected);
        }

        private ErrorCode commit(String id, @Nullable String instance, int generation) {
            short[] code = {ErrorCode.NONE.code()};
            int under = real.appendsUnderWay();
            real.offsets.commit(
                    new OffsetCommitRequest()
                            .groupId(GROUP)
                            .memberId(id)
                            .groupInstanceId(instance)
                            .generationIdOrMemberEpoch(generation)
                            .topics(List.of(new OffsetCommitRequestTopic()
                                    .name("t")
                                    .partitions(List.of(new OffsetCommitRequestPartition().committedOffset(event))))),
                    (short) 8,
                    response -> code[0] =
                            response.topics().get(0).partitions().get(0).errorCode());
            if (real.appendsUnderWay() > under) {
                model.stores.add(stored -> {});
            }
            return code(code[0]);
        }

        private String anyId() {
            if (random.nextInt(4) > 0 && !model.members.isEmpty()) {
                List<String> current = List.copyOf(model.members.keySet());
                return current.get(random.nextInt(current.size()));
            }
            if (random.nextBoolean() && !model.pending.isEmpty()) {
                return model.pending.keySet().stream().sorted().toList().get(random.nextInt(model.pending.size()));
            }
            return ids.get(random.nextInt(ids.size()));
        }

        /** Usually that of the member. */
        private @Nullable String instanceOf(String id) {
            if (random.nextInt(25) == 0) {
                return "static" + random.nextInt(4);
            }
            return id.startsWith("static") ? id.substring(0, id.indexOf('-')) : null;
        }

        private int anyGeneration() {
            return random.nextInt(8) == 0 ? model.generation - 1 : model.generation;
        }

        private ErrorCode code(short wire) {
            ErrorCode code = Arrays.stream(ErrorCode.values())
                    .filter(known -> known.code() == wire)
                    .findFirst()
                    .orElseThrow();
            codes.add(code);
            return code;
        }

        private void compare() {
            assertThat(answers).as(where()).isEqualTo(model.answers);
            answers.clear();
            model.answers.clear();
            assertThat(real.appendsUnderWay()).as(where()).isEqualTo(model.stores.size());
            DescribedGroup described = LongQuestions.complete(
                            real.groups.describe(new DescribeGroupsRequest().groups(List.of(GROUP)), (short) 5))
                    .groups()
                    .get(0);
            assertThat(described.groupState())
                    .as(where())
                    .isEqualTo(
                            switch (model.state) {
                                case EMPTY -> "Empty";
                                case PREPARING -> "PreparingRebalance";
                                case COMPLETING -> "CompletingRebalance";
                                case STABLE -> "Stable";
                            });
            assertThat(described.members().stream().map(DescribedGroupMember::memberId))
                    .as(where())
                    .containsExactlyElementsOf(model.members.keySet());
        }

        private String where() {
            return "-Drivulet.seed=" + seed + ", event " + event + ": " + last;
        }
    }
}
