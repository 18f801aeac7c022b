package io.rivulet.broker.group.base;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The state of a group in the log as the last value of each of its {@link Items}.
 *
 * <p>Owned by: the coordinator thread; during the replay, the thread that opens the store.
 */
public class ItemImage implements GroupImage {
    private static final int MEMBER_PARTS = 3;
    private static final int OVERHEAD_BYTES = 100;

    private byte @Nullable [] epochs;
    private byte @Nullable [] topology;
    /** The items MEMBER, CURRENT and TARGET of each member. */
    private final TreeMap<String, byte[] @Nullable []> members = new TreeMap<>();

    private long bytes;

    /** Gets the items of a member; CURRENT and TARGET may be missing. */
    @FunctionalInterface
    protected interface MemberVisitor {
        void member(byte[] member, byte @Nullable [] current, byte @Nullable [] target);
    }

    /** Applies the items from position to limit. */
    @Override
    public void apply(ByteBuffer items) {
        while (items.hasRemaining()) {
            apply(Items.takeItem(items));
        }
    }

    private void apply(byte[] item) {
        byte type = Items.typeOf(item);
        switch (type) {
            case Items.EPOCHS -> epochs = replaced(epochs, item);
            case Items.TOPOLOGY -> topology = replaced(topology, item);
            case Items.MEMBER, Items.CURRENT, Items.TARGET -> {
                byte[] @Nullable [] parts =
                        members.computeIfAbsent(Items.memberIdOf(item), id -> new byte[MEMBER_PARTS][]);
                int part = type - Items.MEMBER;
                parts[part] = replaced(parts[part], item);
            }
            case Items.MEMBER_REMOVED -> {
                byte[] @Nullable [] parts = members.remove(Items.memberIdOf(item));
                for (int i = 0; parts != null && i < MEMBER_PARTS; i++) {
                    bytes -= size(parts[i]);
                }
            }
            default -> throw new IllegalStateException("unknown type of an item of a group: " + type);
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
        add(topology, items);
        for (byte[] @Nullable [] parts : members.values()) {
            for (byte @Nullable [] part : parts) {
                add(part, items);
            }
        }
        return Items.joined(items);
    }

    private static void add(byte @Nullable [] item, List<ByteBuffer> items) {
        if (item != null) {
            items.add(ByteBuffer.wrap(item));
        }
    }

    // ---- restoring a group ----

    protected byte @Nullable [] epochs() {
        return epochs;
    }

    protected byte @Nullable [] topology() {
        return topology;
    }

    /** The members in the order of their ids. */
    protected void forEachMember(MemberVisitor visitor) {
        for (byte[] @Nullable [] parts : members.values()) {
            byte[] member = Objects.requireNonNull(parts[0], "the log has the state of a member, but not the member");
            visitor.member(member, parts[1], parts[2]);
        }
    }
}
