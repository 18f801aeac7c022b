package io.rivulet.broker.group;

import io.rivulet.broker.config.ConsumerGroupSettings;
import io.rivulet.broker.config.GroupSettings;
import io.rivulet.broker.config.HeapShare;
import io.rivulet.broker.group.consumer.ConsumerSurroundings;
import io.rivulet.broker.group.consumer.SharingTurns;
import io.rivulet.broker.topic.TopicCatalogue;
import io.rivulet.store.Store;
import io.rivulet.store.View;
import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.time.StoreClock;
import java.nio.ByteBuffer;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The door to the groups: makes their parts, hands them to the store as a view, and lets other threads in.
 *
 * <p>Thread-safe. Close it after the store, whose last answers it hands on.
 */
public final class Groups implements AutoCloseable {
    /** What may be on its way into the log before commits are turned away. */
    private static final long MAX_BYTES_UNDER_WAY = 64 << 20;

    private final GroupThread thread;
    private final Timers timers = new Timers();
    private final GroupView view;
    private final GroupCoordinator coordinator;
    private final ConsumerGroups consumers;
    private final RegexMatching regexMatching;
    private final GroupOffsets offsets;
    private final OffsetFetch offsetFetch;
    private final GroupExpiry expiry;
    private final GroupClock clock;
    private @Nullable Store store;
    /** Owned by the thread. */
    private long bytesUnderWay;

    public Groups(
            GroupSettings settings,
            ConsumerGroupSettings consumerSettings,
            TopicCatalogue topics,
            StoreClock storeClock,
            FailureLatch failures) {
        clock = GroupClock.of(storeClock);
        HeapBudget heap = new HeapBudget(settings.maxHeapBytes());
        Surroundings around = new Surroundings(
                settings, clock, timers, heap, () -> UUID.randomUUID().toString());
        GroupTable table = new GroupTable(heap);
        thread = new GroupThread(timers, clock.nanos(), failures);
        view = new GroupView(table, thread);
        coordinator = new GroupCoordinator(around, table, this::append);
        regexMatching = new RegexMatching(
                topics, settings.maxHeapBytes() / HeapShare.SEARCHES_OF_GROUPS, thread::deliver, failures);
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
        store = openedStore;
        view.goLive();
        thread.deliver(() -> {
            coordinator.begin();
            consumers.begin();
            expiry.begin();
        });
        thread.start(coordinator::close);
    }

    /** Has the request run by the thread that owns the groups; false when too much is waiting there. */
    public boolean offer(Runnable request) {
        return thread.offer(request);
    }

    /** Has that thread run it, before all requests that come later. For what is bounded elsewhere. */
    public void deliver(Runnable delivery) {
        thread.deliver(delivery);
    }

    /** How another view of the log reaches a table that belongs to that thread too. */
    public OwnedTable owned(Consumer<ByteBuffer> applying) {
        return new OwnedTable(thread, applying);
    }

    // ---- for requests on that thread ----

    public LongQuestions questions() {
        return thread.questions();
    }

    public GroupClock clock() {
        return clock;
    }

    public Timers timers() {
        return timers;
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
        return bytesUnderWay > MAX_BYTES_UNDER_WAY;
    }

    /** So many bytes more, or less, are on their way into the log. */
    public void underWay(long bytes) {
        bytesUnderWay += bytes;
    }

    private void append(ByteBuffer entry, Consumer<@Nullable Throwable> done) {
        Store to = store;
        if (to == null) {
            throw new IllegalStateException("the groups have not been started");
        }
        int bytes = entry.remaining();
        bytesUnderWay += bytes;
        to.appendState(GroupView.VIEW_ID, entry)
                .whenComplete((stored, failure) -> thread.deliver(() -> {
                    bytesUnderWay -= bytes;
                    done.accept(failure);
                }));
    }

    @Override
    public void close() {
        regexMatching.close();
        thread.deliver(coordinator::close);
        thread.close();
    }
}
