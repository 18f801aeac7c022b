package io.rivulet.broker.group.consumer;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What the log says of all groups of the consumer protocol: the last value of each item, as bytes. It is what snapshots are made of,
 * and what groups are made of after a restart.
 *
 * <p>The log writer applies entries; a snapshot may be written by another thread meanwhile ({@link ConsumerEntryLayout} says why).
 */
public final class ConsumerGroupImage {
    private static final class Stored {
        volatile @Nullable ByteBuffer epochs;
        /** For each member its items MEMBER, CURRENT, TARGET; the arrays are replaced, never changed. */
        final ConcurrentMap<String, @Nullable ByteBuffer[]> members = new ConcurrentHashMap<>();
    }

    private final ConcurrentMap<String, Stored> groups = new ConcurrentHashMap<>();

    /** One entry, durable. */
    public void apply(ByteBuffer entry) {
        String groupId = ConsumerEntryLayout.takeGroupId(entry);
        while (entry.hasRemaining()) {
            apply(groupId, ConsumerEntryLayout.takeItem(entry));
        }
    }

    private void apply(String groupId, ByteBuffer item) {
        byte type = ConsumerEntryLayout.typeOf(item);
        switch (type) {
            case ConsumerEntryLayout.EPOCHS -> stored(groupId).epochs = item;
            case ConsumerEntryLayout.MEMBER, ConsumerEntryLayout.CURRENT, ConsumerEntryLayout.TARGET ->
                stored(groupId)
                        .members
                        .merge(
                                ConsumerEntryLayout.memberIdOf(item),
                                with(new ByteBuffer[3], item),
                                (before, more) -> with(before, item));
            case ConsumerEntryLayout.GONE -> stored(groupId).members.remove(ConsumerEntryLayout.memberIdOf(item));
            case ConsumerEntryLayout.REMOVED -> groups.remove(groupId);
            default -> throw new IllegalStateException("an item of a consumer group of type " + type);
        }
    }

    private Stored stored(String groupId) {
        return groups.computeIfAbsent(groupId, id -> new Stored());
    }

    private static @Nullable ByteBuffer[] with(@Nullable ByteBuffer[] items, ByteBuffer item) {
        @Nullable ByteBuffer[] changed = Arrays.copyOf(items, items.length);
        changed[ConsumerEntryLayout.typeOf(item) - ConsumerEntryLayout.MEMBER] = item;
        return changed;
    }

    public boolean has(String groupId) {
        return groups.containsKey(groupId);
    }

    /** An entry for each group, which together say everything. */
    public void forEachEntry(Consumer<ByteBuffer> action) {
        groups.forEach((groupId, stored) -> {
            List<ByteBuffer> items = new ArrayList<>();
            add(stored.epochs, items);
            for (@Nullable ByteBuffer[] parts : stored.members.values()) {
                for (ByteBuffer part : parts) {
                    add(part, items);
                }
            }
            action.accept(ConsumerEntryLayout.joined(groupId, items));
        });
    }

    private static void add(@Nullable ByteBuffer item, List<ByteBuffer> items) {
        if (item != null) {
            items.add(item);
        }
    }

    public void clear() {
        groups.clear();
    }

    /** Makes the groups that the log knows; they are still to be started. */
    public List<ConsumerGroup> restore(Surroundings surroundings) {
        List<ConsumerGroup> restored = new ArrayList<>();
        groups.forEach((groupId, stored) -> {
            ConsumerGroup group = new ConsumerGroup(groupId, surroundings);
            if (stored.epochs != null) {
                ConsumerEntryLayout.readEpochs(stored.epochs, group);
            }
            for (Map.Entry<String, @Nullable ByteBuffer[]> member : stored.members.entrySet()) {
                group.restore(restored(member.getValue()));
            }
            restored.add(group);
        });
        return restored;
    }

    private static ConsumerMember restored(@Nullable ByteBuffer[] items) {
        ConsumerMember member = ConsumerEntryLayout.readMember(
                Objects.requireNonNull(items[0], "the log has a member's state but not the member"));
        if (items[1] != null) {
            ConsumerEntryLayout.readCurrent(items[1], member);
        }
        if (items[2] != null) {
            ConsumerEntryLayout.readTarget(items[2], member);
        }
        return member;
    }
}
