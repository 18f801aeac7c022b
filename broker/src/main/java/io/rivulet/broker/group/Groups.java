package io.rivulet.broker.group;

import io.rivulet.broker.config.ConsumerGroupSettings;
import io.rivulet.broker.config.GroupSettings;
import io.rivulet.broker.config.HeapShare;
import io.rivulet.broker.coordinator.CoordinatorRuntime;
import io.rivulet.broker.coordinator.HeapBudget;
import io.rivulet.broker.coordinator.Journal;
import io.rivulet.broker.group.base.GroupContext;
import io.rivulet.broker.group.consumer.AssignmentTurns;
import io.rivulet.broker.group.consumer.ConsumerContext;
import io.rivulet.broker.group.consumer.ConsumerGroupTimeouts;
import io.rivulet.broker.group.share.ShareContext;
import io.rivulet.broker.group.share.ShareParts;
import io.rivulet.broker.group.streams.StreamsContext;
import io.rivulet.broker.group.streams.StreamsParts;
import io.rivulet.broker.internal.InternalLog;
import io.rivulet.broker.topic.TopicCatalogue;
import io.rivulet.store.Store;
import io.rivulet.store.View;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The entry point to groups: creates their parts, and passes requests to the coordinator thread.
 *
 * <p>Thread-safe. Close it after the store and before the runtime.
 */
public final class Groups implements AutoCloseable {
    private final CoordinatorRuntime runtime;
    private final GroupTable table;
    private final GroupView view;
    private final GroupCoordinator coordinator;
    private final ConsumerGroups consumers;
    private final StreamsGroups streams;
    private final RegexMatching regexMatching;
    private final ShareGroups shares;
    private final ShareGroupOffsets shareOffsets;
    private final GroupOffsets offsets;
    private final OffsetFetch offsetFetch;
    private final GroupExpiry expiry;
    private @Nullable Journal journal;

    public Groups(
            CoordinatorRuntime runtime,
            GroupSettings settings,
            ConsumerGroupSettings consumerSettings,
            ConsumerGroupTimeouts consumerTimeouts,
            ShareParts shareParts,
            StreamsParts streamsParts,
            TopicCatalogue topics,
            InternalLog internal) {
        this.runtime = runtime;
        HeapBudget heap = new HeapBudget(settings.maxHeapBytes());
        GroupContext context = new GroupContext(
                settings,
                runtime.clock(),
                runtime.timers(),
                heap,
                () -> runtime.environment().ids().uuid().toString());
        GroupRecords records = new GroupRecords(internal, topics, runtime.clock());
        table = new GroupTable(heap, records);
        internal.source(new GroupStateSource(table, records));
        view = new GroupView(runtime.ownedTable(table::apply), table);
        coordinator = new GroupCoordinator(context, table, this::append);
        regexMatching = new RegexMatching(
                topics,
                settings.maxHeapBytes() / HeapShare.SEARCHES_OF_GROUPS,
                runtime::deliver,
                runtime.environment());
        AssignmentTurns turns = new AssignmentTurns(context);
        consumers = new ConsumerGroups(
                coordinator,
                table,
                new ConsumerContext(context, consumerSettings, consumerTimeouts, topics, regexMatching, turns));
        ShareContext shareContext = new ShareContext(context, shareParts, topics, turns, runtime::deliver);
        shares = new ShareGroups(coordinator, table, shareContext);
        shareOffsets = new ShareGroupOffsets(shares, table, shareContext);
        streams = new StreamsGroups(
                coordinator,
                table,
                new StreamsContext(context, streamsParts.settings(), streamsParts.configs(), topics, turns));
        offsets = new GroupOffsets(coordinator, context, table, topics);
        offsetFetch = new OffsetFetch(coordinator, table, topics);
        expiry = new GroupExpiry(coordinator, offsets, table, context, topics);
    }

    public View view() {
        return view;
    }

    /** Starts after the store has replayed its log. */
    public void start(Store openedStore) {
        journal = runtime.journal(openedStore, GroupView.VIEW_ID);
        view.goLive();
        runtime.deliver(() -> {
            coordinator.restore();
            consumers.restore();
            shares.restore();
            streams.restore();
            expiry.start();
        });
        runtime.start(coordinator::close);
    }

    // ---- any thread ----

    /**
     * Passes committed offsets to the visitor, on the coordinator thread and between other work. There the result is
     * passed on, too; null if the walk has failed. A broker that closes may drop the walk.
     *
     * @param ids the groups; null for all
     * @return false if too many requests wait, or the broker closes
     */
    public <T> boolean walk(@Nullable List<String> ids, OffsetWalk.Visitor<T> visitor, Consumer<@Nullable T> done) {
        return runtime.offer(() -> {
            WalkAsker<T> asker = new WalkAsker<>(runtime.questions(), done);
            try {
                if (!runtime.questions().ask(new OffsetWalk<>(table, ids, visitor), asker)) {
                    asker.abandoned();
                }
            } catch (RuntimeException e) {
                asker.failedAtOnce(e); // a walk changes nothing, so the broker need not fail
            }
        });
    }

    // ---- for the coordinator thread ----

    public GroupCoordinator coordinator() {
        return coordinator;
    }

    public ConsumerGroups consumers() {
        return consumers;
    }

    public ShareGroups shares() {
        return shares;
    }

    public ShareGroupOffsets shareOffsets() {
        return shareOffsets;
    }

    public StreamsGroups streams() {
        return streams;
    }

    public GroupOffsets offsets() {
        return offsets;
    }

    public OffsetFetch offsetFetch() {
        return offsetFetch;
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
