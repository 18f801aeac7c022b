package io.rivulet.broker.group;

import io.rivulet.broker.coordinator.EntryText;
import io.rivulet.protocol.wire.Uuid;
import java.nio.ByteBuffer;

/**
 * Layout of the log entries of groups; the snapshot is a list of them. Numbers are big-endian; texts are as in {@link
 * EntryText}.
 *
 * <pre>
 * GROUP            | 1 | group text | image: the rest |
 * GROUP_DELETED    | 2 | group text |
 * OFFSETS          | 3 | group text | millis 8 | for each topic: id 16, count 4, and for each partition:
 *                                                partition 4, offset 8, leader epoch 4, text |
 * OFFSETS_DELETED  | 4 | group text | for each topic: id 16, count 4, and for each partition: partition 4 |
 * CONSUMER_GROUP   | 5 | group text | items as in ConsumerEntryLayout: the rest |
 * TXN_OFFSETS      | 6 | group text | producer id 8 | the rest as in OFFSETS, from millis on |
 * TXN_OVER         | 7 | producer id 8 | committed 1 |
 * PART             | 8 | group text | entry's length 4 | entry's CRC32C 4 | position in the entry 4 |
 *                        bytes of the entry: the rest |
 * SHARE_GROUP      | 11 | group text | the body as in ShareImage: the rest |
 * EXPIRING_OFFSETS | 9 | group text | expiry millis 8 | the rest as in OFFSETS, from millis on |
 * STREAMS_GROUP    | 12 | group text | items as in StreamsEntryLayout: the rest |
 * </pre>
 *
 * EXPIRING_OFFSETS are deleted at that time instead of after the retention time. TXN_OFFSETS wait for the TXN_OVER of
 * their producer, which commits or drops them in all groups. The first byte of an image is the kind of group. An image
 * replaces the items of the group and items replace its image, so a group changes its protocol with one entry.
 * GROUP_DELETED removes image, items and offsets. PARTs make up one entry that is too long for a log group ({@link
 * EntryParts}).
 *
 * <p>Crash policy: entries are durable and checksummed with their log group. Each entry replaces or deletes earlier
 * values. So a snapshot may be taken while groups change, and the replay may repeat entries that it contains.
 */
public final class GroupEntryLayout {
    /** The view id of these entries. */
    public static final int VIEW_ID = 3;

    static final byte GROUP = 1;
    static final byte GROUP_DELETED = 2;
    static final byte OFFSETS = 3;
    static final byte OFFSETS_DELETED = 4;
    static final byte CONSUMER_GROUP = 5;
    static final byte TXN_OFFSETS = 6;
    static final byte TXN_OVER = 7;
    static final byte PART = 8;
    static final byte EXPIRING_OFFSETS = 9;
    static final byte SHARE_GROUP = 11;
    static final byte STREAMS_GROUP = 12;

    /** A log group holds 4 MiB; an entry leaves room for others. */
    static final int MAX_BYTES = 3 << 20;

    /** Bytes of a topic in an entry, without its partitions. */
    static final int TOPIC_BYTES = Uuid.SIZE_BYTES + Integer.BYTES;

    /** Bytes of a partition in an entry, without its text. */
    static final int OFFSET_BYTES = Integer.BYTES + Long.BYTES + Integer.BYTES + Short.BYTES;

    private GroupEntryLayout() {}

    // ---- writing ----

    /** @param type of an image: GROUP, CONSUMER_GROUP, SHARE_GROUP or STREAMS_GROUP */
    static ByteBuffer image(byte type, String id, ByteBuffer body) {
        return head(type, id, body.remaining()).put(body).flip();
    }

    static ByteBuffer groupDeleted(String id) {
        return head(GROUP_DELETED, id, 0).flip();
    }

    /** Commits or drops the offsets of the producer's transaction in all groups. */
    static ByteBuffer transactionOver(long producerId, boolean committed) {
        return ByteBuffer.allocate(2 + Long.BYTES)
                .put(TXN_OVER)
                .putLong(producerId)
                .put((byte) (committed ? 1 : 0))
                .flip();
    }

    /** A part of the entry with that length and checksum. */
    static ByteBuffer part(String id, int length, int checksum, int where, ByteBuffer bytes) {
        return head(PART, id, 3 * Integer.BYTES + bytes.remaining())
                .putInt(length)
                .putInt(checksum)
                .putInt(where)
                .put(bytes)
                .flip();
    }

    /** Starts an entry, with room for more bytes. */
    static ByteBuffer head(byte type, String id, int moreBytes) {
        ByteBuffer entry =
                ByteBuffer.allocate(1 + EntryText.maxBytes(id) + moreBytes).put(type);
        EntryText.put(entry, id);
        return entry;
    }

    /** Returns the position of the count, which is set later. */
    static int putTopic(ByteBuffer entry, Uuid id) {
        entry.putLong(id.mostSignificantBits()).putLong(id.leastSignificantBits());
        int countAt = entry.position();
        entry.putInt(0);
        return countAt;
    }

    // ---- reading, in the order of the layout ----

    static Uuid takeId(ByteBuffer entry) {
        return new Uuid(entry.getLong(), entry.getLong());
    }
}
