package io.rivulet.broker.group.streams;

import io.rivulet.broker.config.StreamsGroupSettings;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.group.ManualTime;
import io.rivulet.broker.group.base.ImageStore;
import io.rivulet.broker.group.consumer.AssignmentTurns;
import io.rivulet.broker.topic.TestTopics;
import io.rivulet.protocol.message.StreamsGroupHeartbeatRequest;
import io.rivulet.protocol.message.StreamsGroupHeartbeatRequest.CopartitionGroup;
import io.rivulet.protocol.message.StreamsGroupHeartbeatRequest.Subtopology;
import io.rivulet.protocol.message.StreamsGroupHeartbeatRequest.TopicInfo;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A group whose test decides when an entry is durable, and when the process crashes. */
final class TestStreamsGroup {
    private record Append(ByteBuffer items, Consumer<@Nullable Throwable> done) {}

    final TestTopics topics = new TestTopics();
    final ManualTime time = new ManualTime();
    private final StreamsGroupSettings settings;
    private final AssignmentTurns turns = new AssignmentTurns(time.context());
    private final Deque<Append> appends = new ArrayDeque<>();
    private StreamsImage image = new StreamsImage();
    private StreamsGroup group;

    TestStreamsGroup(int initialDelayMillis, int standbys) {
        this(initialDelayMillis, standbys, 100);
    }

    TestStreamsGroup(int initialDelayMillis, int standbys, int maxSize) {
        settings = new StreamsGroupSettings(5_000, 45_000, 0, initialDelayMillis, standbys, maxSize, true);
        group = new StreamsGroup("g", context(), images());
    }

    private StreamsContext context() {
        return new StreamsContext(
                time.context(), settings, StreamsGroupConfigs.of(settings), topics.catalogue(), turns);
    }

    private ImageStore images() {
        return new ImageStore() {
            @Override
            public String groupId() {
                return "g";
            }

            @Override
            public void store(ByteBuffer items, Consumer<@Nullable Throwable> done) {
                appends.add(new Append(items, done));
            }

            @Override
            public void changed() {}
        };
    }

    StreamsGroup group() {
        return group;
    }

    // ---- requests ----

    static StreamsGroupHeartbeatRequest join(
            String memberId, String processId, StreamsGroupHeartbeatRequest.Topology topology) {
        return new StreamsGroupHeartbeatRequest()
                .groupId("g")
                .memberId(memberId)
                .memberEpoch(0)
                .processId(processId)
                .rebalanceTimeoutMs(60_000)
                .topology(topology)
                .activeTasks(List.of())
                .standbyTasks(List.of())
                .warmupTasks(List.of());
    }

    static StreamsGroupHeartbeatRequest beat(String memberId, int epoch) {
        return new StreamsGroupHeartbeatRequest()
                .groupId("g")
                .memberId(memberId)
                .memberEpoch(epoch);
    }

    static StreamsGroupHeartbeatRequest.Topology topology(Subtopology... parts) {
        return new StreamsGroupHeartbeatRequest.Topology().epoch(1).subtopologies(new ArrayList<>(List.of(parts)));
    }

    static Subtopology part(String id, String... sources) {
        return new Subtopology().subtopologyId(id).sourceTopics(new ArrayList<>(List.of(sources)));
    }

    static Subtopology stateful(String id, String changelog, String... sources) {
        return part(id, sources).stateChangelogTopics(infos(changelog));
    }

    static List<TopicInfo> infos(String... names) {
        return new ArrayList<>(
                Stream.of(names).map(name -> new TopicInfo().name(name)).toList());
    }

    static CopartitionGroup copartitioned(short[] sources, short[] repartitionSources) {
        return new CopartitionGroup().sourceTopics(sources).repartitionSourceTopics(repartitionSources);
    }

    // ---- events ----

    /** @param reply gets the answer when it is durable */
    void heartbeat(StreamsGroupHeartbeatRequest request, Consumer<StreamsGroup.Answer> reply) {
        StreamsHeartbeatChecks.check(request);
        StreamsGroup asked = group;
        StreamsGroup.Answer answer = asked.heartbeat(request, "client", "host");
        asked.whenDurable(failure -> {
            if (failure == null && asked == group) {
                reply.accept(answer);
            }
        });
    }

    /** Sends a heartbeat and returns its answer. */
    StreamsGroup.Answer ask(StreamsGroupHeartbeatRequest request) {
        StreamsGroup.@Nullable Answer[] answers = {null};
        heartbeat(request, answer -> answers[0] = answer);
        settle();
        StreamsGroup.Answer answer = answers[0];
        if (answer == null) {
            throw new IllegalStateException("no answer");
        }
        return answer;
    }

    boolean appendDurable() {
        Append append = appends.poll();
        if (append == null) {
            return false;
        }
        image.apply(append.items.duplicate());
        append.done.accept(null);
        return true;
    }

    void appendFails() {
        Append append = appends.poll();
        if (append != null) {
            append.done.accept(new RefusedException(ErrorCode.KAFKA_STORAGE_ERROR, "no space"));
        }
    }

    void settle() {
        while (appendDurable()) {}
    }

    /** Restarts from the durable state. */
    void restart() {
        group.close();
        appends.clear();
        StreamsImage again = new StreamsImage();
        again.apply(image.bytes());
        image = again;
        group = replayed();
    }

    /** A second group, restored from the durable state, for comparison. */
    StreamsGroup replayed() {
        return StreamsGroup.of("g", image, context(), images());
    }
}
