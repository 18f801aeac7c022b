package io.rivulet.broker.share;

import io.rivulet.broker.config.ShareGroupConfig;
import io.rivulet.broker.config.ShareGroupConfigs;
import io.rivulet.broker.coordinator.CoordinatorClock;
import io.rivulet.broker.coordinator.CoordinatorRuntime;
import io.rivulet.broker.coordinator.EntryText;
import io.rivulet.broker.coordinator.SnapshotEntries;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.store.Store;
import io.rivulet.store.View;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What share groups have done with records: a view of the log, made from entries in {@link ShareEntryLayout}.
 *
 * <p>Thread-safe. A group is guarded by its monitor. Entries are appended with that held, so that the log has them in
 * the order in which they were made.
 */
public final class ShareGroups implements View {
    public static final int VIEW_ID = 11;

    private static final int ROWS_PER_SLICE = 2048;

    private final ShareMemory memory;
    private final ShareCounters counters = new ShareCounters();
    private volatile IntSupplier sessions = () -> 0;
    private volatile Predicate<String> known = groupId -> true;
    private volatile @Nullable DeadLetters deadLetters;
    private final ShareGroupConfigs configs;
    private final CoordinatorRuntime runtime;
    private final Map<String, ShareGroup> groups = new ConcurrentHashMap<>();
    private volatile @Nullable Store store;

    /** @param maxBytes the heap for all rows, runs and sessions, estimated */
    public ShareGroups(long maxBytes, ShareGroupConfigs configs, CoordinatorRuntime runtime) {
        this.memory = new ShareMemory(maxBytes);
        this.configs = configs;
        this.runtime = runtime;
    }

    /** The replay has ended. Topics may have been deleted since the last entries. */
    public void start(Store replayed) {
        store = replayed;
        for (ShareGroup group : groups.values()) {
            synchronized (group) {
                group.retain(replayed::exists);
            }
        }
    }

    // ---- any thread ----

    ShareMemory memory() {
        return memory;
    }

    public ShareCounters counters() {
        return counters;
    }

    /** The number of share sessions. */
    public int sessions() {
        return sessions.getAsInt();
    }

    /** Sets who knows the number of sessions. */
    public void sessionsFrom(IntSupplier count) {
        sessions = count;
    }

    /** Sets who knows which groups there are. */
    public void knownBy(Predicate<String> mayExist) {
        known = mayExist;
    }

    /** Whether there may be such a group. One that there is not gets no rows. */
    boolean mayExist(String groupId) {
        return known.test(groupId);
    }

    /** Sets who writes dead letters. */
    public void deadLettersBy(DeadLetters writer) {
        deadLetters = writer;
    }

    public long bytes() {
        return memory.bytes();
    }

    /** The limit of {@link #bytes}. */
    public long maxBytes() {
        return memory.limit();
    }

    /** The number of pairs of group and queue that are in use. */
    public long rows() {
        long rows = 0;
        for (ShareGroup group : groups.values()) {
            synchronized (group) {
                rows += group.rowCount();
            }
        }
        return rows;
    }

    /** The number of runs of records that members have. */
    public long locks() {
        long locks = 0;
        for (ShareGroup group : groups.values()) {
            synchronized (group) {
                locks += group.lockCount();
            }
        }
        return locks;
    }

    ShareGroupConfig config(String groupId) {
        return configs.of(groupId);
    }

    static Limits limits(ShareGroupConfig config) {
        return new Limits(
                config.deliveryCountLimit(),
                config.maxRecordLocks(),
                config.recordLockMillis() * CoordinatorClock.NANOS_PER_MILLI,
                config.renewEnabled());
    }

    long nanos() {
        return runtime.clock().nanos().getAsLong();
    }

    /** Null if the group has used no queue. */
    @Nullable
    ShareGroup find(String groupId) {
        return groups.get(groupId);
    }

    /** As {@link #findOrCreate}. Null if the group has no rows and does not exist, or is being deleted. */
    @Nullable
    ShareGroup findOrCreateKnown(String groupId) {
        return groups.compute(
                groupId, (id, group) -> group != null || !mayExist(id) ? group : new ShareGroup(id, memory, counters));
    }

    /** The group that is not deleted; it is created if there is none. */
    ShareGroup findOrCreate(String groupId) {
        return groups.computeIfAbsent(groupId, id -> new ShareGroup(id, memory, counters));
    }

    /** Whether the group has used any queue. */
    public boolean hasRows(String groupId) {
        ShareGroup group = groups.get(groupId);
        if (group == null) {
            return false;
        }
        synchronized (group) {
            return group.rowCount() > 0;
        }
    }

    // ---- results ----

    /**
     * Appends the results of runs, which are pending. The caller holds the lock of the group. If one entry has no room
     * for them, the next is appended when the one before is durable.
     *
     * @param done called when they are durable and applied, or with the failure after they were rolled back; any thread
     */
    void append(ShareGroup group, Results collected, Consumer<@Nullable Throwable> done) {
        DeadLetters letters = deadLetters;
        List<Run> dead = letters != null && config(group.id()).deadLetters().isOn() ? collected.takeDead() : List.of();
        if (letters == null || dead.isEmpty()) {
            appendOthers(group, collected, done);
            return;
        }
        CompletableFuture<Void> others = new CompletableFuture<>();
        appendOthers(group, collected, failure -> {
            if (failure == null) {
                others.complete(null);
            } else {
                others.completeExceptionally(failure);
            }
        });
        var unused = CompletableFuture.allOf(
                        others, letters.archive(group, dead).toCompletableFuture())
                .whenComplete((both, failure) -> done.accept(failure));
    }

    private void appendOthers(ShareGroup group, Results collected, Consumer<@Nullable Throwable> done) {
        List<Run> results = collected.runs();
        if (results.isEmpty()) {
            done.accept(null);
            return;
        }
        List<Run> some = results.subList(0, Math.min(results.size(), ShareEntryLayout.FULL_PARTS));
        List<Run> rest = results.subList(some.size(), results.size());
        var unused = store().appendState(VIEW_ID, ShareEntryLayout.results(group, some))
                .whenComplete((stored, failure) -> appended(group, some, rest, failure, done));
    }

    private void appended(
            ShareGroup group,
            List<Run> some,
            List<Run> rest,
            @Nullable Throwable failure,
            Consumer<@Nullable Throwable> done) {
        memory.add(-(long) some.size() * Results.HEAP_BYTES);
        if (failure != null) {
            memory.add(-(long) rest.size() * Results.HEAP_BYTES);
            rollBack(group, some);
            rollBack(group, rest);
            done.accept(failure);
        } else if (rest.isEmpty()) {
            done.accept(null);
        } else {
            runtime.deliver(() -> appendRest(group, rest, done));
        }
    }

    /** Coordinator thread. Meanwhile, rows may have been reset or removed, or an entry on its way does that. */
    private void appendRest(ShareGroup group, List<Run> rest, Consumer<@Nullable Throwable> done) {
        synchronized (group) {
            Results still = new Results();
            List<Run> closing = new ArrayList<>();
            for (Run run : rest) {
                if (group.isClosing() || group.isClosing(run.queueId)) {
                    closing.add(run);
                } else if (run.isPending()) {
                    still.add(run);
                }
            }
            memory.add(((long) still.size() - rest.size()) * Results.HEAP_BYTES);
            rollBack(group, closing);
            append(group, still, done);
        }
    }

    void rollBack(ShareGroup group, List<Run> results) {
        synchronized (group) {
            group.rollBack(results, nanos() + limits(config(group.id())).lockNanos());
            watch(group);
        }
    }

    /** Appends where the group begins in queues. Nobody waits: a later entry of a row says it again. */
    void appendBegun(ShareGroup group, List<RowImage> begun) {
        synchronized (group) {
            if (group.isClosing()) {
                return; // this entry would bring back a row behind the one that deletes the group
            }
            // An operator may have set another offset meanwhile, with an entry that is before this one in the log.
            List<RowImage> still = new ArrayList<>(begun);
            still.removeIf(
                    row -> group.isClosing(row.queueId()) || group.startOffset(row.queueId()) != row.startOffset());
            if (!still.isEmpty()) {
                var unused = store().appendState(VIEW_ID, ShareEntryLayout.results(group.id(), still));
            }
        }
    }

    Store store() {
        return Objects.requireNonNull(store);
    }

    // ---- deadlines ----

    /** Sees to it that the group's locks end in time. The caller holds the lock of the group. */
    void watch(ShareGroup group) {
        if (!group.isWatched() && group.firstDeadline() != null) {
            group.watched(true);
            runtime.deliver(() -> setTimer(group));
        }
    }

    private void setTimer(ShareGroup group) {
        synchronized (group) {
            Long deadline = group.firstDeadline();
            if (deadline == null) {
                group.watched(false);
            } else {
                runtime.timers().timer(() -> expire(group)).set(deadline);
            }
        }
    }

    /** Coordinator thread. What has expired goes to the log entry by entry, each when the one before is durable. */
    private void expire(ShareGroup group) {
        synchronized (group) {
            Results results = new Results();
            group.expire(nanos(), limits(config(group.id())), ShareEntryLayout.FULL_PARTS, results);
            if (results.isEmpty()) {
                setTimer(group);
            } else {
                append(group, results, failure -> runtime.deliver(() -> setTimer(group)));
            }
        }
    }

    /**
     * Releases all that the member has.
     *
     * @param done called when that is durable, or with the failure; any thread
     */
    void release(String groupId, String member, Consumer<@Nullable Throwable> done) {
        ShareGroup group = groups.get(groupId);
        if (group == null) {
            done.accept(null);
            return;
        }
        synchronized (group) {
            Results results = new Results();
            group.release(member, limits(config(groupId)), results);
            append(group, results, done);
        }
    }

    // ---- changes by operators ----

    /** Lets the group begin at these offsets. Completes when that is durable and applied. */
    CompletionStage<Integer> reset(String groupId, int[] queueIds, long[] startOffsets) {
        ShareGroup group = findOrCreate(groupId);
        synchronized (group) {
            if (!group.hasRoomFor(queueIds)) {
                return CompletableFuture.failedFuture(new RefusedException(
                        ErrorCode.POLICY_VIOLATION, "share groups have reached the limit of their memory"));
            }
            // No fetch may begin at another offset until the entry is there: it would say so behind the entry.
            int[] created = group.createAll(queueIds, startOffsets);
            return change(group, queueIds, ShareEntryLayout.reset(groupId, queueIds, startOffsets))
                    .whenComplete((stored, failure) -> {
                        if (failure != null) {
                            remove(group, created);
                        }
                    });
        }
    }

    private static void remove(ShareGroup group, int[] queueIds) {
        synchronized (group) {
            for (int queueId : queueIds) {
                group.remove(queueId);
            }
        }
    }

    /** Forgets the rows. Completes when that is durable and applied. */
    CompletionStage<Integer> remove(String groupId, int[] queueIds) {
        ShareGroup group = groups.get(groupId);
        return group == null
                ? CompletableFuture.completedFuture(0)
                : change(group, queueIds, ShareEntryLayout.rowsRemoved(groupId, queueIds));
    }

    private CompletionStage<Integer> change(ShareGroup group, int[] queueIds, ByteBuffer entry) {
        synchronized (group) {
            for (int queueId : queueIds) {
                group.closing(queueId);
            }
            return store().appendState(VIEW_ID, entry).whenComplete((stored, failure) -> {
                if (failure != null) {
                    reopen(group, queueIds);
                }
            });
        }
    }

    private void reopen(ShareGroup group, int[] queueIds) {
        synchronized (group) {
            long deadline = nanos() + limits(config(group.id())).lockNanos();
            for (int queueId : queueIds) {
                group.reopen(queueId, deadline);
            }
            watch(group);
        }
    }

    /**
     * Forgets the group. Completes when that is durable and applied. Since before the call, {@link #mayExist} is false,
     * so that no fetch makes rows afterwards.
     */
    CompletionStage<Integer> delete(String groupId) {
        // Not get, which does not wait for a fetch that creates the group.
        ShareGroup group = groups.computeIfPresent(groupId, (id, known) -> known);
        if (group == null) {
            return CompletableFuture.completedFuture(0);
        }
        synchronized (group) {
            group.closing(true);
            return store().appendState(VIEW_ID, ShareEntryLayout.groupDeleted(groupId))
                    .whenComplete((stored, failure) -> {
                        synchronized (group) {
                            group.closing(false);
                            watch(group);
                        }
                    });
        }
    }

    /** The queues were deleted. */
    public void queuesDeleted(int firstQueueId, int count) {
        for (ShareGroup group : groups.values()) {
            synchronized (group) {
                group.removeAll(firstQueueId, count);
            }
        }
    }

    // ---- log-writer thread ----

    @Override
    public int id() {
        return VIEW_ID;
    }

    @Override
    public void apply(long groupTimestamp, ByteBuffer entry) {
        byte type = entry.get();
        String groupId = EntryText.take(entry);
        if (type == ShareEntryLayout.GROUP_DELETED) {
            ShareGroup deleted = groups.remove(groupId);
            if (deleted != null) {
                synchronized (deleted) {
                    deleted.delete();
                }
            }
            return;
        }
        ShareGroup group = findOrCreate(groupId);
        synchronized (group) {
            apply(group, type, entry);
        }
    }

    private void apply(ShareGroup group, byte type, ByteBuffer entry) {
        for (int left = entry.getInt(); left > 0; left--) {
            switch (type) {
                case ShareEntryLayout.RESULTS -> ShareEntryLayout.applyRow(entry, group, this::mayExist);
                case ShareEntryLayout.RESET -> {
                    int queueId = entry.getInt();
                    long startOffset = entry.getLong();
                    if (mayExist(queueId)) {
                        group.reset(queueId, startOffset);
                    }
                }
                case ShareEntryLayout.ROWS_REMOVED -> group.remove(entry.getInt());
                default -> throw new IllegalStateException("unknown type of an entry of share groups");
            }
        }
    }

    /** An entry may be behind the one that deletes its queue. During the replay that is not known. */
    private boolean mayExist(int queueId) {
        Store live = store;
        return live == null || live.exists(queueId);
    }

    // ---- snapshots ----

    @Override
    public Snapshot snapshot() {
        List<ShareGroup> all = new ArrayList<>(groups.values());
        return out -> {
            for (ShareGroup group : all) {
                write(group, out);
            }
            SnapshotEntries.writeEnd(out);
        };
    }

    /** Rows may be newer than the snapshot. The replay is still correct, because each entry says what is true then. */
    private static void write(ShareGroup group, WritableByteChannel out) throws IOException {
        int slot = 0;
        boolean more = true;
        while (more) {
            List<RowImage> rows = new ArrayList<>();
            synchronized (group) {
                int parts = 0;
                while (slot < group.slots() && rows.size() < ROWS_PER_SLICE && parts < ShareEntryLayout.FULL_PARTS) {
                    RowImage row = group.image(slot++);
                    if (row != null) {
                        rows.add(row);
                        parts += row.parts().size();
                    }
                }
                more = slot < group.slots() && !group.isDeleted();
            }
            if (!rows.isEmpty()) {
                SnapshotEntries.write(List.of(ShareEntryLayout.results(group.id(), rows)), out);
            }
        }
    }

    @Override
    public void load(ReadableByteChannel in) throws IOException {
        for (ShareGroup group : groups.values()) {
            synchronized (group) {
                group.delete();
            }
        }
        groups.clear();
        DataInputStream entries = SnapshotEntries.reader(in);
        SnapshotEntries.read(entries, entry -> apply(0, entry));
    }
}
