package io.rivulet.store.log;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The checksum of a growing group. It reads a large body in steps, while the entries are in the processor's cache: a
 * whole group does not fit in there.
 *
 * <p>Owned by: log-writer thread.
 */
final class GroupCrc {
    private static final int STEP_BYTES = 32 << 10;

    private final CRC32C bodyCrc = new CRC32C();
    /** The body index up to which it has read. */
    private int readTo;

    /** The body has grown up to its position. */
    void grown(ByteBuffer body) {
        int end = body.position();
        if (end - readTo >= STEP_BYTES) {
            bodyCrc.update(body.slice(readTo, end - readTo));
            readTo = end;
        }
    }

    /** The bytes from this index on will be replaced. */
    void cutTo(int bodyIndex) {
        if (bodyIndex < readTo) {
            clear();
        }
    }

    void clear() {
        bodyCrc.reset();
        readTo = 0;
    }

    /** The checksum of the group in these bytes, which are {@code length} long. Starts again. */
    int of(long storeId, ByteBuffer whole, int length) {
        if (readTo == 0) {
            return LogGroupLayout.crc(storeId, whole, 0, length);
        }
        int restAt = LogGroupLayout.HEADER_BYTES + readTo;
        int end = length - LogGroupLayout.CRC_BYTES;
        bodyCrc.update(whole.slice(restAt, end - restAt));
        int afterHeader = (int) bodyCrc.getValue();
        clear();
        int header = LogGroupLayout.headerCrc(storeId, whole);
        return JoinedCrc.join(header, afterHeader, end - LogGroupLayout.HEADER_BYTES);
    }
}
