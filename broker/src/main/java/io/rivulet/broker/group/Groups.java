package io.rivulet.broker.group;

import io.rivulet.broker.config.ConsumerGroupSettings;
import io.rivulet.broker.config.GroupSettings;
import io.rivulet.broker.config.HeapShare;
import io.rivulet.broker.coordinator.CoordinatorRuntime;
import io.rivulet.broker.coordinator.HeapBudget;
import io.rivulet.broker.coordinator.Journal;
import io.rivulet.broker.coordinator.LongQuestions;
import io.rivulet.broker.group.base.GroupContext;
import io.rivulet.broker.group.consumer.ConsumerSurroundings;
import io.rivulet.broker.group.consumer.SharingTurns;
import io.rivulet.broker.topic.TopicCatalogue;
import io.rivulet.store.Store;
import io.rivulet.store.View;
import io.rivulet.store.failure.FailureLatch;
import java.nio.ByteBuffer;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The door to the groups: makes their parts, hands them to the store as a view, and lets other threads in.
 *
 * <p>Thread-safe. Close it after the store and before the runtime.
 */
public final class Groups implements AutoCloseable {
    private final CoordinatorRuntime runtime;
    private final GroupView view;
    private final GroupCoordinator coordinator;
    private final ConsumerGroups consumers;
    private final RegexMatching regexMatching;
    private final GroupOffsets offsets;
    private final OffsetFetch offsetFetch;
    private final GroupExpiry expiry;
    private @Nullable Journal journal;

    public Groups(
            CoordinatorRuntime runtime,
            GroupSettings settings,
            ConsumerGroupSettings consumerSettings,
            TopicCatalogue topics,
            FailureLatch failures) {
        this.runtime = runtime;
        HeapBudget heap = new HeapBudget(settings.maxHeapBytes());
        GroupContext around = new GroupContext(
                settings,
                runtime.clock(),
                runtime.timers(),
                heap,
                () -> UUID.randomUUID().toString());
        GroupTable table = new GroupTable(heap);
        view = new GroupView(runtime.ownedTable(table::apply), table);
        coordinator = new GroupCoordinator(around, table, this::append);
        regexMatching = new RegexMatching(
                topics, settings.maxHeapBytes() / HeapShare.SEARCHES_OF_GROUPS, runtime::deliver, failures);
        consumers = new ConsumerGroups(
                coordinator,
                table,
                new ConsumerSurroundings(around, consumerSettings, topics, regexMatching, new SharingTurns(around)));
        offsets = new GroupOffsets(coordinator, around, table, topics);
        offsetFetch = new OffsetFetch(coordinator, table, topics);
        expiry = new GroupExpiry(coordinator, offsets, table, around, topics);
    }

    public View view() {
        return view;
    }

    /** Begins, when the store has replayed its log. */
    public void start(Store openedStore) {
        journal = runtime.journal(openedStore, GroupView.VIEW_ID);
        view.goLive();
        runtime.deliver(() -> {
            coordinator.begin();
            consumers.begin();
            expiry.begin();
        });
        runtime.start(coordinator::close);
    }

    /** Has the request run by the thread that owns the groups; false when too much is waiting there. */
    public boolean offer(Runnable request) {
        return runtime.offer(request);
    }

    /** Has that thread run it, before all requests that come later. For what is bounded elsewhere. */
    public void deliver(Runnable delivery) {
        runtime.deliver(delivery);
    }

    // ---- for requests on that thread ----

    public LongQuestions questions() {
        return runtime.questions();
    }

    public GroupCoordinator coordinator() {
        return coordinator;
    }

    public ConsumerGroups consumers() {
        return consumers;
    }

    public GroupOffsets offsets() {
        return offsets;
    }

    public OffsetFetch offsetFetch() {
        return offsetFetch;
    }

    /** Whether so much is on its way into the log that it is better to come again later. */
    public boolean isBehind() {
        return runtime.isBehind();
    }

    private void append(ByteBuffer entry, Consumer<@Nullable Throwable> done) {
        Journal to = journal;
        if (to == null) {
            throw new IllegalStateException("the groups have not been started");
        }
        to.append(entry, done);
    }

    @Override
    public void close() {
        regexMatching.close();
        runtime.deliver(coordinator::close);
    }
}
