package io.rivulet.broker.internal;

import io.rivulet.broker.coordinator.CoordinatorRuntime;
import io.rivulet.broker.error.ErrorMapper;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.topic.InternalTopic;
import io.rivulet.broker.topic.Topic;
import io.rivulet.broker.topic.TopicAdmin;
import io.rivulet.broker.topic.TopicCatalogue;
import io.rivulet.store.Store;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The internal topics: creates them when a client looks for a coordinator or asks for the topic, and passes reads on.
 *
 * <p>Thread-safe, except where noted.
 */
public final class InternalTopics {
    private static final Logger LOG = LoggerFactory.getLogger(InternalTopics.class);

    private final TopicCatalogue topics;
    private final ToIntFunction<InternalTopic> partitions;
    private final Map<InternalTopic, InternalLog> logs = new EnumMap<>(InternalTopic.class);
    private final AtomicBoolean reported = new AtomicBoolean();
    private volatile @Nullable TopicAdmin admin;

    /** @param partitions the number of partitions of a new internal topic */
    public InternalTopics(CoordinatorRuntime runtime, TopicCatalogue topics, ToIntFunction<InternalTopic> partitions) {
        this.topics = topics;
        this.partitions = partitions;
        for (InternalTopic which : InternalTopic.values()) {
            logs.put(which, new InternalLog(which, runtime, topics));
        }
    }

    /** Called once, before the coordinators start. */
    public void start(Store store) {
        logs.values().forEach(log -> log.start(store));
    }

    /** Called once, before the first request. */
    public void start(TopicAdmin newAdmin) {
        admin = newAdmin;
        for (InternalTopic which : InternalTopic.values()) {
            Topic topic = topics.find(which.topicName());
            if (topic != null && !topic.isInternal()) {
                LOG.warn(
                        "The topic {} was created by a client. To read the state of coordinators there, delete it; the"
                                + " broker will create its own",
                        which.topicName());
            }
        }
    }

    public InternalLog log(InternalTopic which) {
        InternalLog log = logs.get(which);
        if (log == null) {
            throw new IllegalArgumentException("no log of " + which);
        }
        return log;
    }

    /** Creates the topic if it does not exist, and runs the action, also if it can't be created. */
    public void whenThere(InternalTopic which, Runnable action) {
        if (topics.find(which.topicName()) != null) {
            action.run();
        } else {
            CompletionStage<?> unused = create(which).whenComplete((topic, failure) -> {
                if (failure != null && reported.compareAndSet(false, true)) {
                    LOG.warn(
                            "{} can't be created: {}",
                            which.topicName(),
                            ErrorMapper.refusal(failure).getMessage());
                }
                action.run();
            });
        }
    }

    /** The topic, which is created if it does not exist. */
    public CompletionStage<Topic> create(InternalTopic which) {
        TopicAdmin through = admin;
        if (through == null) {
            throw new IllegalStateException("the internal topics have not been started");
        }
        try {
            return through.findOrCreate(which, partitions.applyAsInt(which));
        } catch (RefusedException e) {
            return CompletableFuture.failedFuture(e);
        }
    }
}
