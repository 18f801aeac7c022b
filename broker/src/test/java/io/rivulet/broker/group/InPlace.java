package io.rivulet.broker.group;

import io.rivulet.broker.config.ConsumerGroupSettings;
import io.rivulet.broker.config.GroupSettings;
import io.rivulet.broker.config.ShareGroupConfig;
import io.rivulet.broker.config.ShareGroupSettings;
import io.rivulet.broker.config.TopicSettings;
import io.rivulet.broker.coordinator.CoordinatorClock;
import io.rivulet.broker.coordinator.HeapBudget;
import io.rivulet.broker.coordinator.Timers;
import io.rivulet.broker.group.base.GroupContext;
import io.rivulet.broker.group.consumer.AssignmentTurns;
import io.rivulet.broker.group.consumer.ConsumerContext;
import io.rivulet.broker.group.consumer.ConsumerGroupTimeouts;
import io.rivulet.broker.group.share.KnownShareGroups;
import io.rivulet.broker.group.share.ShareContext;
import io.rivulet.broker.group.share.ShareParts;
import io.rivulet.broker.topic.TopicCatalogue;
import io.rivulet.protocol.wire.Uuid;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Groups without threads, disk and clock: the test moves the time and makes entries durable. */
public final class InPlace {
    public static final GroupSettings SETTINGS =
            new GroupSettings(6000, 1_800_000, 3000, 5, 100, 1000_000, 10_000, 10_000, 1 << 26);

    /** An entry in flight. */
    private record Append(ByteBuffer entry, Consumer<Throwable> done) {}

    public final GroupCoordinator groups;
    public final ConsumerGroups consumers;
    public final ShareGroups shares;
    public final ShareGroupOffsets shareOffsets;
    public final ShareRows shareRows = new ShareRows();
    public final GroupOffsets offsets;
    public final OffsetFetch offsetFetch;
    public final TopicCatalogue topics = new TopicCatalogue(TopicSettings.KAFKA_DEFAULTS);
    public final HeapBudget heap;
    public final Timers timers = new Timers();
    /** All durable entries. */
    public final List<byte[]> log = new ArrayList<>();

    final GroupTable table;
    final RecordedState records = new RecordedState();
    final GroupStateSource state;
    final KnownShareGroups knownShares = new KnownShareGroups();
    private final GroupExpiry expiry;
    private long aheadMillis;
    private final Deque<Append> appends = new ArrayDeque<>();
    private long nanos;
    private long nextId;
    private int nextQueueId;

    public InPlace() {
        this(SETTINGS);
    }

    public InPlace(GroupSettings settings) {
        heap = new HeapBudget(settings.maxHeapBytes());
        LongSupplier millis = () -> 1_700_000_000_000L + aheadMillis + nanos / 1_000_000;
        CoordinatorClock clock = new CoordinatorClock(() -> nanos, millis, millis);
        GroupContext context = new GroupContext(settings, clock, timers, heap, () -> String.valueOf(nextId++));
        GroupRecords groupRecords = new GroupRecords(records, topics, clock);
        table = new GroupTable(heap, groupRecords);
        state = new GroupStateSource(table, groupRecords);
        groups =
                new GroupCoordinator(context, table, (entry, done) -> appends.add(new Append(entry.duplicate(), done)));
        AssignmentTurns turns = new AssignmentTurns(context);
        ShareContext shareContext = new ShareContext(
                context,
                new ShareParts(ShareGroupSettings.DEFAULTS, id -> ShareGroupConfig.DEFAULT, shareRows, knownShares),
                topics,
                turns,
                Runnable::run);
        shares = new ShareGroups(groups, table, shareContext);
        shareOffsets = new ShareGroupOffsets(shares, table, shareContext);
        ConsumerContext consumerContext = new ConsumerContext(
                context,
                ConsumerGroupSettings.DEFAULTS,
                ConsumerGroupTimeouts.of(ConsumerGroupSettings.DEFAULTS),
                topics,
                new InPlaceMatcher(topics, Runnable::run),
                turns);
        consumers = new ConsumerGroups(groups, table, consumerContext);
        offsets = new GroupOffsets(groups, context, table, topics);
        offsetFetch = new OffsetFetch(groups, table, topics);
        expiry = new GroupExpiry(groups, offsets, table, context, topics);
    }

    /** Sets the wall clock. The monotonic clock is unchanged. */
    void shiftClock(long newAheadMillis) {
        aheadMillis = newAheadMillis;
    }

    /** The state after a restart: the durable log, without entries in flight. */
    public InPlace restarted(GroupSettings settings) {
        InPlace next = new InPlace(settings);
        next.nanos = nanos;
        next.nextId = nextId;
        copyTopics(next);
        for (byte[] entry : log) {
            next.log.add(entry);
            next.table.apply(ByteBuffer.wrap(entry));
        }
        next.groups.restore();
        next.consumers.restore();
        next.shares.restore();
        return next;
    }

    /** The state after a restart from a snapshot that is taken now. */
    InPlace reloaded() {
        InPlace next = new InPlace();
        next.nanos = nanos;
        copyTopics(next);
        GroupSnapshot snapshot = new GroupSnapshot(table);
        for (List<ByteBuffer> slice = snapshot.slice(); slice != null; slice = snapshot.slice()) {
            slice.forEach(next.table::apply);
        }
        return next;
    }

    private void copyTopics(InPlace next) {
        topics.forEach(topic ->
                next.topics.apply(0, created(topic.name(), topic.id(), topic.queueId(0), topic.partitionCount())));
    }

    /** The durable state of groups and offsets, sorted. */
    public String dump() {
        TreeMap<String, String> results = new TreeMap<>();
        for (GroupSlot slot : table.all()) {
            if (slot.image != null) {
                ByteBuffer bytes = slot.image.bytes();
                byte[] image = new byte[bytes.remaining()];
                bytes.get(bytes.position(), image);
                results.put(slot.id, slot.imageType + " " + Arrays.toString(image));
            }
            for (int row = 0; row < slot.offsets.limit(); row++) {
                if (slot.offsets.exists(row)) {
                    results.put(
                            slot.id + "/" + slot.offsets.topicId(row) + "/" + slot.offsets.partition(row),
                            slot.offsets.offset(row) + " " + slot.offsets.leaderEpoch(row) + " "
                                    + slot.offsets.text(row) + " " + slot.offsets.commitMillis(row) + " "
                                    + slot.offsets.ownExpiryMillis(row));
                }
            }
        }
        return results.toString();
    }

    public int groupCount() {
        return table.size();
    }

    public void beginExpiry() {
        expiry.start();
    }

    // ---- time ----

    public long nanos() {
        return nanos;
    }

    /** Moves the clock and runs the timers that become due, each at its time. */
    public void advance(long byNanos) {
        long until = nanos + byNanos;
        for (long next = timers.nanosToNext(nanos); next <= until - nanos; next = timers.nanosToNext(nanos)) {
            nanos += next;
            timers.run(nanos);
        }
        nanos = until;
    }

    // ---- the log ----

    public int appendsUnderWay() {
        return appends.size();
    }

    /** Makes the oldest entry in flight durable. */
    public void oneDurable() {
        Append append = appends.remove();
        byte[] bytes = new byte[append.entry.remaining()];
        append.entry.get(bytes);
        log.add(bytes);
        table.apply(ByteBuffer.wrap(bytes));
        append.done.accept(null);
    }

    public void oneFails(Throwable failure) {
        appends.remove().done.accept(failure);
    }

    public void allDurable() {
        while (!appends.isEmpty()) {
            oneDurable();
        }
    }

    // ---- topics ----

    public Uuid createTopic(String name, int partitions) {
        Uuid id = new Uuid(77, nextQueueId);
        topics.apply(0, created(name, id, nextQueueId, partitions));
        nextQueueId += partitions;
        return id;
    }

    public void deleteTopic(Uuid id) {
        topics.apply(
                0,
                ByteBuffer.allocate(17)
                        .put((byte) 2)
                        .putLong(id.mostSignificantBits())
                        .putLong(id.leastSignificantBits())
                        .flip());
    }

    private static ByteBuffer created(String name, Uuid id, int firstQueueId, int partitions) {
        byte[] text = name.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(64 + text.length)
                .put((byte) 1)
                .putLong(id.mostSignificantBits())
                .putLong(id.leastSignificantBits())
                .putInt(firstQueueId)
                .putInt(partitions)
                .putShort((short) text.length)
                .put(text)
                .putShort((short) 0)
                .flip();
    }
}
