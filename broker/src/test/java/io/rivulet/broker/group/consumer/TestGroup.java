package io.rivulet.broker.group.consumer;

import io.rivulet.broker.access.Access;
import io.rivulet.broker.config.ConsumerGroupSettings;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.group.InPlaceMatcher;
import io.rivulet.broker.group.ManualTime;
import io.rivulet.broker.group.base.GroupContext;
import io.rivulet.broker.group.base.ImageStore;
import io.rivulet.broker.regex.Regexes;
import io.rivulet.broker.topic.TestTopics;
import io.rivulet.protocol.message.ConsumerGroupHeartbeatRequest;
import io.rivulet.protocol.message.ConsumerGroupHeartbeatResponse;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A group whose test decides when an entry is durable, when a pattern is matched, and when the process crashes. */
final class TestGroup {
    private record Append(ByteBuffer items, Consumer<@Nullable Throwable> done) {}

    final TestTopics topics = new TestTopics();
    ManualTime time = new ManualTime();
    ConsumerGroupSettings settings = ConsumerGroupSettings.DEFAULTS;
    Access access = Access.UNLIMITED;
    ConsumerImage image = new ConsumerImage();
    private final Deque<Append> appends = new ArrayDeque<>();
    private final Deque<Runnable> matches = new ArrayDeque<>();
    private ConsumerGroup group = new ConsumerGroup("g", context(), images());

    ConsumerGroup group() {
        return group;
    }

    /** Restarts the group with other settings. */
    void settings(ConsumerGroupSettings changed) {
        settings = changed;
        restart();
    }

    private ConsumerContext context() {
        GroupContext context = time.context();
        return new ConsumerContext(
                context,
                settings,
                ConsumerGroupTimeouts.of(settings),
                topics.catalogue(),
                new InPlaceMatcher(topics.catalogue(), matches::add),
                new AssignmentTurns(context));
    }

    private ImageStore images() {
        return new ImageStore() {
            @Override
            public String groupId() {
                return "group";
            }

            @Override
            public void store(ByteBuffer items, Consumer<@Nullable Throwable> done) {
                appends.add(new Append(items, done));
            }

            @Override
            public void changed() {}
        };
    }

    // ---- events ----

    void heartbeat(ConsumerGroupHeartbeatRequest request, Consumer<ConsumerGroupHeartbeatResponse> reply) {
        HeartbeatChecks.check(request, (short) 1, settings);
        if (request.subscribedTopicRegex() != null) {
            Object unused = Regexes.compile("SubscribedTopicRegex", request.subscribedTopicRegex());
        }
        ConsumerGroup asked = group;
        ConsumerGroupHeartbeatResponse response = asked.heartbeat(request, "client", "host", access);
        asked.whenDurable(failure -> {
            if (failure == null && asked == group) {
                reply.accept(response);
            }
        });
    }

    /** Sends a heartbeat and returns its response. */
    ConsumerGroupHeartbeatResponse ask(ConsumerGroupHeartbeatRequest request) {
        @Nullable ConsumerGroupHeartbeatResponse[] answer = {null};
        heartbeat(request, response -> answer[0] = response);
        settle();
        ConsumerGroupHeartbeatResponse response = answer[0];
        if (response == null) {
            throw new IllegalStateException("no response");
        }
        return response;
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

    boolean appendFails() {
        Append append = appends.poll();
        if (append != null) {
            append.done.accept(new RefusedException(ErrorCode.KAFKA_STORAGE_ERROR, "no space"));
        }
        return append != null;
    }

    boolean match() {
        Runnable match = matches.poll();
        if (match != null) {
            match.run();
        }
        return match != null;
    }

    void settle() {
        while (appendDurable() || match()) {}
    }

    /** Restarts from the durable state. */
    void restart() {
        group.close();
        appends.clear();
        matches.clear();
        ConsumerImage again = new ConsumerImage();
        again.apply(image.bytes());
        image = again;
        group = ConsumerGroup.of("g", image, context(), images());
    }

    /** A second group, restored from the durable state, for comparison. */
    ConsumerGroup replayed() {
        return ConsumerGroup.of("g", image, context(), images());
    }
}
