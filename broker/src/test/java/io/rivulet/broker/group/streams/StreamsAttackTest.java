package io.rivulet.broker.group.streams;

import static io.rivulet.broker.group.streams.TestStreamsGroup.beat;
import static io.rivulet.broker.group.streams.TestStreamsGroup.copartitioned;
import static io.rivulet.broker.group.streams.TestStreamsGroup.infos;
import static io.rivulet.broker.group.streams.TestStreamsGroup.join;
import static io.rivulet.broker.group.streams.TestStreamsGroup.part;
import static io.rivulet.broker.group.streams.TestStreamsGroup.topology;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.group.base.OffsetCommitter;
import io.rivulet.protocol.message.StreamsGroupHeartbeatRequest;
import io.rivulet.protocol.message.StreamsGroupHeartbeatRequest.CopartitionGroup;
import io.rivulet.protocol.message.StreamsGroupHeartbeatRequest.Endpoint;
import io.rivulet.protocol.message.StreamsGroupHeartbeatRequest.KeyValue;
import io.rivulet.protocol.message.StreamsGroupHeartbeatRequest.Subtopology;
import io.rivulet.protocol.message.StreamsGroupHeartbeatRequest.TaskIds;
import io.rivulet.protocol.message.StreamsGroupHeartbeatRequest.TopicInfo;
import io.rivulet.protocol.message.StreamsGroupHeartbeatResponse;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Heartbeats that ask for much work with few bytes. The work is bounded, and limits have clear errors. Work is counted
 * in allocated bytes where that tells it; the time limit is for work that would take hours.
 */
@Timeout(60)
final class StreamsAttackTest {
    private static final short[] NONE = {};
    private static final int MAX_STRING_BYTES = Short.MAX_VALUE;

    private final TestStreamsGroup world = new TestStreamsGroup(0, 0, 100_000);

    private StreamsGroupHeartbeatResponse ask(StreamsGroupHeartbeatRequest request) {
        return world.ask(request).response();
    }

    private List<InternalTopic> missing() {
        ConfiguredTopology topics = world.group().configured();
        return topics == null ? List.of() : topics.toCreate();
    }

    private static void assertRefused(ErrorCode code, String message, ThrowingCallable request) {
        assertThatThrownBy(request).isInstanceOfSatisfying(RefusedException.class, refusal -> {
            assertThat(refusal.code()).isEqualTo(code);
            assertThat(refusal).hasMessageContaining(message);
        });
    }

    private static long allocatedBytes(Runnable work) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        work.run();
        return threads.getCurrentThreadAllocatedBytes() - before;
    }

    // ---- topologies ----

    /** Each subtopology reads what the next one writes, so only the last repartition topic is known at once. */
    @Test
    void aLongChainOfRepartitionTopicsTakesTimeForEachTopicOnce() {
        int parts = 10_000;
        world.topics.create("in", 3);
        List<Subtopology> chain = new ArrayList<>();
        for (int i = 0; i < parts; i++) {
            Subtopology part = part(name(i)).repartitionSinkTopics(List.of("r" + name(i)));
            chain.add(
                    i == parts - 1
                            ? part.sourceTopics(List.of("in"))
                            : part.repartitionSourceTopics(infos("r" + name(i + 1))));
        }
        chain.add(part("last").repartitionSourceTopics(infos("r" + name(0))));

        ask(join("m", "p", topology(chain.toArray(new Subtopology[0]))));

        assertThat(missing()).hasSize(parts).allMatch(topic -> topic.partitions() == 3);
    }

    /** Pairs of subtopologies that write for each other; each pair also reads from the next one. */
    @Test
    void aLongChainOfLoopsTakesTimeForEachTopicOnce() {
        int pairs = 5_000;
        world.topics.create("in", 3);
        List<Subtopology> chain = new ArrayList<>();
        for (int i = 0; i < pairs; i++) {
            Subtopology one = part("a" + name(i))
                    .repartitionSourceTopics(infos("y" + name(i)))
                    .repartitionSinkTopics(List.of("x" + name(i)));
            if (i == pairs - 1) {
                one.sourceTopics(List.of("in"));
            } else {
                one.repartitionSourceTopics(infos("y" + name(i), "x" + name(i + 1)));
            }
            chain.add(one);
            chain.add(part("b" + name(i))
                    .repartitionSourceTopics(infos("x" + name(i)))
                    .repartitionSinkTopics(List.of("y" + name(i))));
        }

        ask(join("m", "p", topology(chain.toArray(new Subtopology[0]))));

        assertThat(missing()).hasSize(2 * pairs).allMatch(topic -> topic.partitions() == 3);
    }

    @Test
    void manySourcesAndManyChangelogsAreNotComparedEachWithEach() {
        world.topics.create("in", 1);
        Subtopology part = part("0").sourceTopics(Collections.nCopies(25_000, "in"));
        part.stateChangelogTopics(new ArrayList<>(IntStream.range(0, 15_000)
                .mapToObj(i -> new TopicInfo().name("c" + name(i)))
                .toList()));

        ask(join("m", "p", topology(part)));

        assertThat(missing()).hasSize(15_000);
    }

    @Test
    void aPartWithManySinksAndManySourcesComparesThemOnce() {
        world.topics.create("in", 1);
        Subtopology part = part("0", "in");
        part.sourceTopics(Collections.nCopies(20_000, "in"))
                .repartitionSinkTopics(
                        IntStream.range(0, 10_000).mapToObj(i -> "r" + name(i)).toList());
        Subtopology reader = part("1")
                .repartitionSourceTopics(new ArrayList<>(IntStream.range(0, 10_000)
                        .mapToObj(i -> new TopicInfo().name("r" + name(i)))
                        .toList()));

        StreamsGroup.Answer answer = world.ask(join("m", "p", topology(part, reader)));

        assertThat(missing()).hasSize(10_000);
        assertThat(answer.toCreate()).as("created for one heartbeat").hasSize(1_000);
    }

    @Test
    void eachCopartitionGroupCounts() {
        world.topics.create("in", 1);
        CopartitionGroup empty = copartitioned(NONE, NONE);
        Subtopology part = part("0", "in").copartitionGroups(Collections.nCopies(1_000_000, empty));

        assertRefused(ErrorCode.POLICY_VIOLATION, "topology", () -> ask(join("m", "p", topology(part))));
    }

    @Test
    void aLongIdOfASubtopologyIsRefused() {
        world.topics.create("in", 1);

        assertRefused(
                ErrorCode.POLICY_VIOLATION, "255", () -> ask(join("m", "p", topology(part("s".repeat(256), "in")))));
    }

    @Test
    void copartitionGroupsInARingAreResolved() {
        world.topics.create("in", 4);
        short[] first = {0};
        short[] both = {0, 1};
        Subtopology writer = part("0", "in").repartitionSinkTopics(List.of("r1", "r2"));
        Subtopology reader = part("1")
                .repartitionSourceTopics(infos("r1", "r2"))
                .copartitionGroups(List.of(
                        copartitioned(NONE, both),
                        copartitioned(NONE, new short[] {1, 0}),
                        copartitioned(NONE, first)));

        ask(join("m", "p", topology(writer, reader)));

        assertThat(missing()).hasSize(2).allMatch(topic -> topic.partitions() == 4);
    }

    @Test
    void aHugeNumberOfPartitionsIsRefused() {
        world.topics.create("in", 1);
        TopicInfo huge = new TopicInfo().name("r").partitions(Integer.MAX_VALUE);
        Subtopology writer = part("0", "in").repartitionSinkTopics(List.of("r"));
        Subtopology reader = part("1").repartitionSourceTopics(new ArrayList<>(List.of(huge)));

        assertRefused(ErrorCode.POLICY_VIOLATION, "200000", () -> ask(join("m", "p", topology(writer, reader))));
    }

    @Test
    void theEpochOfATopologyIsNotNegative() {
        world.topics.create("in", 1);

        assertRefused(
                ErrorCode.STREAMS_INVALID_TOPOLOGY,
                "epoch",
                () -> ask(join("m", "p", topology(part("0", "in")).epoch(-1))));
    }

    /** A text of the protocol has 32,767 bytes at most, or else the response can't be sent. */
    @Test
    void detailsOfManyTopicsFitIntoAResponse() {
        world.topics.create("in", 1);
        Subtopology missingChangelogs = part("0", "in");
        missingChangelogs.stateChangelogTopics(new ArrayList<>(IntStream.range(0, 2_000)
                .mapToObj(i -> new TopicInfo().name("changelog-of-a-store-with-a-long-name-" + i))
                .toList()));
        Subtopology missingSources = part("0")
                .sourceTopics(IntStream.range(0, 2_000)
                        .mapToObj(i -> "a-source-topic-with-a-long-name-\u00fc-" + i)
                        .toList());

        for (Subtopology part : List.of(missingChangelogs, missingSources)) {
            StreamsGroupHeartbeatResponse response = ask(join("m", "p", topology(part)));

            assertThat(response.sizeInBytes((short) 0)).isPositive();
            assertThat(response.status()).hasSize(1);
            ask(beat("m", -1));
        }
    }

    @Test
    void errorsWithLongNamesFitIntoAResponse() {
        world.topics.create("in", 1);
        ask(join("m", "p", topology(part("0", "in"))));
        String longest = "x".repeat(MAX_STRING_BYTES);

        assertThatThrownBy(() -> ask(beat(longest, 2)))
                .isInstanceOfSatisfying(
                        RefusedException.class,
                        refusal -> assertThat(new StreamsGroupHeartbeatResponse()
                                        .errorMessage(refusal.getMessage())
                                        .status(List.of())
                                        .sizeInBytes((short) 0))
                                .isPositive());
    }

    // ---- members ----

    @Test
    void tasksThatTheMemberNeverHadTakeNoMemory() {
        world.topics.create("in", 3);
        int epoch = ask(join("m", "p", topology(part("0", "in")))).memberEpoch();
        world.topics.delete("in"); // so any task could be one
        List<TaskIds> foreign = IntStream.range(0, 100_000)
                .mapToObj(i -> new TaskIds().subtopologyId(name(i)).partitions(new int[] {199_999}))
                .toList();
        StreamsGroupHeartbeatRequest request =
                beat("m", epoch).activeTasks(foreign).standbyTasks(List.of()).warmupTasks(List.of());

        long bytes = allocatedBytes(() -> ask(request));

        assertThat(bytes).isLessThan(10L << 20);
    }

    @Test
    void aMemberWithForeignTasksAndTheEpochBeforeIsFenced() {
        world.topics.create("in", 3);
        int epoch = ask(join("m", "p", topology(part("0", "in")))).memberEpoch();
        StreamsGroupHeartbeatRequest request = beat("m", epoch - 1)
                .activeTasks(List.of(new TaskIds().subtopologyId("other").partitions(new int[] {0})))
                .standbyTasks(List.of())
                .warmupTasks(List.of());

        assertRefused(ErrorCode.FENCED_MEMBER_EPOCH, "smaller", () -> ask(request));
    }

    @Test
    void theDataOfAMemberIsBounded() {
        world.topics.create("in", 1);
        StreamsGroupHeartbeatRequest.Topology topology = topology(part("0", "in"));
        List<KeyValue> tags = IntStream.range(0, 5_000)
                .mapToObj(i -> new KeyValue().key("k" + i).value("v"))
                .toList();
        Endpoint endpoint = new Endpoint().host("h".repeat(MAX_STRING_BYTES)).port(1);

        assertRefused(
                ErrorCode.POLICY_VIOLATION,
                "tags",
                () -> ask(join("m", "p", topology).clientTags(tags)));
        assertRefused(
                ErrorCode.POLICY_VIOLATION,
                "255",
                () -> ask(join("m", "p", topology).userEndpoint(endpoint)));
        int epoch = ask(join("m", "p", topology)).memberEpoch();
        assertRefused(
                ErrorCode.POLICY_VIOLATION, "tags", () -> ask(beat("m", epoch).clientTags(tags)));
    }

    /** Members may join with little, be many, and then grow. */
    @Test
    void aMemberThatStaysDoesNotGrowBeyondTheHeapLimit() {
        world.topics.create("in", 1);
        StreamsGroupHeartbeatRequest.Topology topology = topology(part("0", "in"));
        int epoch = ask(join("m", "p", topology)).memberEpoch();
        List<KeyValue> tags = List.of(new KeyValue().key("zone").value("v".repeat(10_000)));
        world.group().context().group().heap().add(1L << 30);

        assertRefused(
                ErrorCode.POLICY_VIOLATION,
                "rivulet.groups.bytes",
                () -> ask(beat("m", epoch).clientTags(tags)));
        assertThat(ask(beat("m", epoch)).memberEpoch()).isEqualTo(epoch);
    }

    @Test
    void anAssignmentThatTakesLongWaitsForItsTurn() {
        world.topics.create("in", 200);
        world.time.everyReadTakes(10);
        int epoch = ask(join("m", "p", topology(part("0", "in")))).memberEpoch();

        StreamsGroupHeartbeatResponse delayed =
                ask(beat("m", epoch).clientTags(List.of(new KeyValue().key("k").value("v"))));
        assertThat(delayed.status())
                .singleElement()
                .satisfies(
                        status -> assertThat(status.statusCode()).isEqualTo(StreamsStatus.ASSIGNMENT_DELAYED.code()));
        assertThat(delayed.memberEpoch()).isEqualTo(epoch);
        world.time.pass(5_000);

        assertThat(ask(beat("m", epoch)).memberEpoch()).isEqualTo(epoch + 1);
    }

    @Test
    void topicsThatAreDeletedUnderWayTakeTheirTasksBack() {
        world.topics.create("in", 3);
        world.topics.create("other", 2);
        int epoch = ask(join("m", "p", topology(part("0", "in"), part("1", "other"))))
                .memberEpoch();
        world.topics.delete("in");

        StreamsGroupHeartbeatResponse without = ask(beat("m", epoch));
        assertThat(without.status())
                .singleElement()
                .satisfies(status ->
                        assertThat(status.statusCode()).isEqualTo(StreamsStatus.MISSING_SOURCE_TOPICS.code()));
        assertThat(without.activeTasks()).isEmpty();
        StreamsGroupHeartbeatResponse none = ask(beat("m", without.memberEpoch())
                .activeTasks(List.of())
                .standbyTasks(List.of())
                .warmupTasks(List.of()));
        world.topics.create("in", 4);
        StreamsGroupHeartbeatResponse again = ask(beat("m", none.memberEpoch()));

        assertThat(again.activeTasks())
                .extracting(ids -> ids.partitions().length)
                .containsExactly(4, 2);
    }

    @Test
    void aMemberThatJoinsAgainWithAnotherEndpointIsFoundThere() {
        world.topics.create("in", 2);
        StreamsGroupHeartbeatRequest.Topology topology = topology(part("0", "in"));
        ask(join("a", "p", topology).userEndpoint(new Endpoint().host("before").port(1)));
        StreamsGroupHeartbeatResponse seen = ask(join("b", "q", topology));
        ask(join("a", "p", topology).userEndpoint(new Endpoint().host("after").port(1)));

        StreamsGroupHeartbeatResponse next =
                ask(beat("b", seen.memberEpoch()).endpointInformationEpoch(seen.endpointInformationEpoch()));

        assertThat(next.partitionsByUserEndpoint())
                .singleElement()
                .satisfies(each -> assertThat(each.userEndpoint().host()).isEqualTo("after"));
    }

    /** A commit with the epoch before is checked for each partition. */
    @Test
    void checksOfManyTopicsLookAtEachOnce() {
        int topics = 3_000;
        List<Subtopology> parts = new ArrayList<>();
        for (int i = 0; i < topics; i++) {
            world.topics.create("in" + name(i), 1);
            parts.add(part(name(i), "in" + name(i)));
        }
        StreamsGroupHeartbeatRequest.Topology topology = topology(parts.toArray(new Subtopology[0]));
        int before = ask(join("m", "p", topology)).memberEpoch();
        StreamsGroupHeartbeatResponse joined = ask(join("m", "p", topology)
                .clientTags(List.of(new KeyValue().key("k").value("v"))));
        IntStream queueIds = IntStream.range(0, topics)
                .map(i -> world.topics.topic("in" + name(i)).queueId(0));

        long bytes = allocatedBytes(() -> {
            assertThat(world.group().checkCommit(new OffsetCommitter("m", null, before, true, queueIds::allMatch)))
                    .isEqualTo(ErrorCode.NONE);
            for (int i = 0; i < topics; i++) {
                assertThat(world.group().isSubscribedTo("in" + name(i))).isTrue();
            }
        });

        assertThat(joined.memberEpoch()).isEqualTo(before + 1);
        assertThat(bytes).isLessThan(20L << 20);
    }

    /** Each group has one member with all tasks: they are one range. */
    @Test
    void manyTasksOfOneMemberTakeLittleMemory() {
        world.topics.create("in", 200_000);
        ask(join("m", "p", topology(part("0", "in"))));
        StreamsMember member = world.group().members().find("m");

        assertThat(member)
                .isNotNull()
                .satisfies(it -> assertThat(it.assigned.active().size()).isEqualTo(200_000));
        assertThat(member)
                .isNotNull()
                .satisfies(it -> assertThat(it.assigned.active().encodedBytes()).isLessThan(100));
    }

    // ---- many members ----

    /** All join, then each reports until it has its target. The heap of the group is small. */
    @Test
    void aGroupWithManyMembersBecomesStable() {
        int members = 2_000;
        int tasks = 10_000;
        TestStreamsGroup large = new TestStreamsGroup(3_000, 0, 100_000);
        large.topics.create("in", tasks);
        StreamsGroupHeartbeatRequest.Topology topology = topology(part("0", "in"));
        Map<String, Integer> epochs = new TreeMap<>();
        for (int i = 0; i < members; i++) {
            String id = "m" + name(i);
            epochs.put(id, large.ask(join(id, "p" + i, topology)).response().memberEpoch());
        }
        large.time.pass(3_000);
        large.settle();

        List<Integer> all = new ArrayList<>();
        long bytes = allocatedBytes(() -> epochs.forEach((id, epoch) -> {
            StreamsGroupHeartbeatResponse response = large.ask(beat(id, epoch)
                            .activeTasks(List.of())
                            .standbyTasks(List.of())
                            .warmupTasks(List.of()))
                    .response();
            List<StreamsGroupHeartbeatResponse.TaskIds> active = response.activeTasks();
            assertThat(active).hasSize(1);
            IntStream.of(active == null ? new int[0] : active.get(0).partitions())
                    .forEach(all::add);
        }));

        assertThat(large.group().stateName()).isEqualTo("Stable");
        assertThat(all).hasSize(tasks).doesNotHaveDuplicates();
        assertThat(bytes / members).isLessThan(128 << 10);
    }

    /** Names of the same length, in the order of the numbers. */
    private static String name(int number) {
        return String.format("%05d", number);
    }
}
