package io.rivulet.broker.group.base;

import io.rivulet.protocol.record.Varints;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What entries about groups with an {@link ItemImage} are made of. An item has the newest value of one part of the
 * group. A text is its length, a varint, and the bytes in UTF-8; an optional text (text?) has its length plus 1, or 0
 * for none.
 *
 * <pre>
 * item:  | type 1 | length 4 | value |
 *
 * EPOCHS 1                              of the group
 * MEMBER 2 | CURRENT 3 | TARGET 4       of a member: the value begins with the member id
 * MEMBER_REMOVED 5                      | member id text |
 * TOPOLOGY 6                            of the group
 * </pre>
 *
 * Pure functions.
 */
public final class Items {
    public static final byte EPOCHS = 1;
    public static final byte MEMBER = 2;
    public static final byte CURRENT = 3;
    public static final byte TARGET = 4;
    public static final byte MEMBER_REMOVED = 5;
    public static final byte TOPOLOGY = 6;

    public static final int VARINT_BYTES = 5;
    private static final int HEAD_BYTES = 1 + Integer.BYTES;

    private Items() {}

    // ---- items ----

    public static ByteBuffer newItem(byte type, int maxBytes) {
        return ByteBuffer.allocate(HEAD_BYTES + maxBytes).put(type).putInt(0);
    }

    /** Completes the item, flipped. */
    public static ByteBuffer ended(ByteBuffer item) {
        return item.putInt(1, item.position() - HEAD_BYTES).flip();
    }

    public static ByteBuffer memberRemoved(String memberId) {
        ByteBuffer item = newItem(MEMBER_REMOVED, textBytes(memberId));
        putText(item, memberId);
        return ended(item);
    }

    public static ByteBuffer joined(List<ByteBuffer> items) {
        int length = 0;
        for (ByteBuffer item : items) {
            length += item.remaining();
        }
        ByteBuffer all = ByteBuffer.allocate(length);
        items.forEach(all::put);
        return all.flip();
    }

    /** Reads one item with its header into an array of its own. */
    public static byte[] takeItem(ByteBuffer items) {
        byte[] item = new byte[HEAD_BYTES + items.getInt(items.position() + 1)];
        items.get(item);
        return item;
    }

    public static byte typeOf(byte[] item) {
        return item[0];
    }

    /** The member id of an item of a member. */
    public static String memberIdOf(byte[] item) {
        return takeText(value(item));
    }

    public static ByteBuffer value(byte[] item) {
        return ByteBuffer.wrap(item).position(HEAD_BYTES);
    }

    // ---- texts ----

    /** The most bytes that the text takes. */
    public static int textBytes(@Nullable String text) {
        return VARINT_BYTES + (text == null ? 0 : 3 * text.length());
    }

    public static void putText(ByteBuffer out, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        Varints.putUnsigned(out, bytes.length);
        out.put(bytes);
    }

    public static void putTextOrNull(ByteBuffer out, @Nullable String text) {
        if (text == null) {
            Varints.putUnsigned(out, 0);
            return;
        }
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        Varints.putUnsigned(out, bytes.length + 1);
        out.put(bytes);
    }

    public static String takeText(ByteBuffer in) {
        return takeText(in, Varints.takeUnsigned(in));
    }

    public static @Nullable String takeTextOrNull(ByteBuffer in) {
        int length = Varints.takeUnsigned(in) - 1;
        return length < 0 ? null : takeText(in, length);
    }

    private static String takeText(ByteBuffer in, int length) {
        byte[] bytes = new byte[length];
        in.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
