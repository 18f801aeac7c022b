package io.rivulet.broker.group;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The first parts of an entry that is too long for one log group. A part is appended when the one before it is durable.
 * The last part completes the entry, and only the complete entry is applied.
 *
 * <p>Crash policy: an entry without its last part is ignored. A replay may read parts that the snapshot already holds:
 * a part that continues the known ones is stored at its place, any other is skipped. Length and checksum distinguish
 * entries.
 *
 * <p>Owned by: the coordinator thread; during the replay, the thread that opens the store.
 */
final class EntryParts {
    private final String groupId;
    private final int length;
    private final int checksum;
    private byte[] bytes = {};
    private int count;

    private EntryParts(String groupId, int length, int checksum) {
        this.groupId = groupId;
        this.length = length;
        this.checksum = checksum;
    }

    // ---- writing ----

    static boolean isTooLong(ByteBuffer entry) {
        return entry.remaining() > GroupEntryLayout.MAX_BYTES;
    }

    static int checksum(ByteBuffer entry) {
        CRC32C crc = new CRC32C();
        crc.update(entry.duplicate());
        return (int) crc.getValue();
    }

    /** The part of the entry from that position on, with as many bytes as a part may have. */
    static ByteBuffer part(String groupId, ByteBuffer entry, int checksum, int where) {
        int bytes = Math.min(GroupEntryLayout.MAX_BYTES, entry.remaining() - where);
        return GroupEntryLayout.part(
                groupId, entry.remaining(), checksum, where, entry.slice(entry.position() + where, bytes));
    }

    // ---- reading ----

    /**
     * Reads a part; the group's id has been read.
     *
     * @param before the parts so far; null if there are none
     * @return the parts with this one; null if it can't be used
     */
    static @Nullable EntryParts with(@Nullable EntryParts before, String groupId, ByteBuffer part) {
        int length = part.getInt();
        int checksum = part.getInt();
        int where = part.getInt();
        if (where == 0) {
            return new EntryParts(groupId, length, checksum).add(0, part);
        }
        if (before == null || before.length != length || before.checksum != checksum || where > before.count) {
            return before;
        }
        return before.add(where, part);
    }

    private EntryParts add(int where, ByteBuffer part) {
        int end = where + part.remaining();
        if (end > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.min(length, Math.max(end, 2 * bytes.length)));
        }
        part.get(bytes, where, part.remaining());
        count = Math.max(count, end);
        return this;
    }

    boolean isComplete() {
        return count == length;
    }

    ByteBuffer entry() {
        ByteBuffer entry = ByteBuffer.wrap(bytes, 0, length);
        if (checksum(entry) != checksum) {
            throw new IllegalStateException(
                    "the parts of a long entry of group " + groupId + " do not match its checksum");
        }
        return entry;
    }

    /** All parts so far as a single one, for a snapshot, where the length is not limited. */
    ByteBuffer soFar() {
        return GroupEntryLayout.part(groupId, length, checksum, 0, ByteBuffer.wrap(bytes, 0, count));
    }

    long heapBytes() {
        return bytes.length;
    }
}
