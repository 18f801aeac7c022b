package io.rivulet.broker.group;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The beginning of an entry that is too long for one group of the log and stands there in parts, which come one after the other, each when
 * the one before is durable. The last one makes it an entry, and only that is applied.
 *
 * <p>Crash policy: without its last part it never was; the next one begins anew. A replay from a snapshot on may meet parts of
 * an entry of which the snapshot holds more, or all: a part is put where it belongs if it continues what is here, and passed over if not.
 * Length and checksum tell entries apart.
 *
 * <p>Owned by: the coordinator thread; during the replay, the one that opens the store.
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

    /** The part of the entry that begins there; it holds the rest of it, or as much as may be. */
    static ByteBuffer part(String groupId, ByteBuffer entry, int checksum, int where) {
        int bytes = Math.min(GroupEntryLayout.MAX_BYTES, entry.remaining() - where);
        return GroupEntryLayout.part(
                groupId, entry.remaining(), checksum, where, entry.slice(entry.position() + where, bytes));
    }

    // ---- reading ----

    /**
     * Takes a part, from behind the group's id on.
     *
     * @param before what has come so far; null when nothing has
     * @return what has come now; null when it is of no use
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
            throw new IllegalStateException("the parts of a long entry of group " + groupId + " are not one");
        }
        return entry;
    }

    /** One part, however long, that says all that has come so far. For a snapshot, where length does not matter. */
    ByteBuffer soFar() {
        return GroupEntryLayout.part(groupId, length, checksum, 0, ByteBuffer.wrap(bytes, 0, count));
    }

    long heapBytes() {
        return bytes.length;
    }
}
