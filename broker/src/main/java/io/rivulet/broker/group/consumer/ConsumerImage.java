package io.rivulet.broker.group.consumer;

import io.rivulet.broker.group.base.GroupImage;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The state of a group of the consumer protocol in the log: the last value of each item of {@link ConsumerEntryLayout},
 * as bytes.
 *
 * <p>Owned by: the coordinator thread; during the replay, the thread that opens the store.
 */
public final class ConsumerImage implements GroupImage {
    private static final int MEMBER_PARTS = 3;
    private static final int OVERHEAD_BYTES = 100;

    private byte @Nullable [] epochs;
    /** The items MEMBER, CURRENT and TARGET of each member. */
    private final TreeMap<String, byte[] @Nullable []> members = new TreeMap<>();

    private long bytes;

    /** Applies the items from position to limit. */
    @Override
    public void apply(ByteBuffer items) {
        while (items.hasRemaining()) {
            apply(ConsumerEntryLayout.takeItem(items));
        }
    }

    private void apply(byte[] item) {
        byte type = ConsumerEntryLayout.typeOf(item);
        switch (type) {
            case ConsumerEntryLayout.EPOCHS -> epochs = replaced(epochs, item);
            case ConsumerEntryLayout.MEMBER, ConsumerEntryLayout.CURRENT, ConsumerEntryLayout.TARGET -> {
                byte[] @Nullable [] parts =
                        members.computeIfAbsent(ConsumerEntryLayout.memberIdOf(item), id -> new byte[MEMBER_PARTS][]);
                int part = type - ConsumerEntryLayout.MEMBER;
                parts[part] = replaced(parts[part], item);
            }
            case ConsumerEntryLayout.MEMBER_REMOVED -> {
                byte[] @Nullable [] parts = members.remove(ConsumerEntryLayout.memberIdOf(item));
                for (int i = 0; parts != null && i < MEMBER_PARTS; i++) {
                    bytes -= size(parts[i]);
                }
            }
            default -> throw new IllegalStateException("unknown type of an item of a consumer group: " + type);
        }
    }

    private byte[] replaced(byte @Nullable [] before, byte[] item) {
        bytes += size(item) - size(before);
        return item;
    }

    private static int size(byte @Nullable [] item) {
        return item == null ? 0 : OVERHEAD_BYTES + item.length;
    }

    /** Approximate, including the live group. */
    @Override
    public long heapBytes() {
        return 3 * bytes;
    }

    /** All items. */
    @Override
    public ByteBuffer bytes() {
        List<ByteBuffer> items = new ArrayList<>();
        add(epochs, items);
        for (byte[] @Nullable [] parts : members.values()) {
            for (byte @Nullable [] part : parts) {
                add(part, items);
            }
        }
        return ConsumerEntryLayout.joined(items);
    }

    private static void add(byte @Nullable [] item, List<ByteBuffer> items) {
        if (item != null) {
            items.add(ByteBuffer.wrap(item));
        }
    }

    /** Restores the group. */
    void restore(ConsumerGroup group) {
        if (epochs != null) {
            ConsumerEntryLayout.readEpochs(epochs, group);
        }
        for (byte[] @Nullable [] parts : members.values()) {
            ConsumerMember member = ConsumerEntryLayout.readMember(
                    Objects.requireNonNull(parts[0], "the log has the state of a member, but not the member"));
            if (parts[1] != null) {
                ConsumerEntryLayout.readCurrent(parts[1], member);
            }
            if (parts[2] != null) {
                ConsumerEntryLayout.readTarget(parts[2], member);
            }
            group.restore(member);
        }
    }
}
