package io.rivulet.store.log;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The checksum of a growing group. It reads a large body in steps, while the entries are in the processor's cache: a
 * whole group does not fit in there. Of long entries it joins the known checksum, and does not read them.
 *
 * <p>Owned by: log-writer thread.
 */
final class GroupCrc {
    private static final int STEP_BYTES = 32 << 10;

    private final JoinedCrc bodyCrc = new JoinedCrc();
    private final CRC32C partCrc = new CRC32C();
    /** The body index up to which it is computed. */
    private int doneTo;

    /** The body has grown up to its position. */
    void grown(ByteBuffer body) {
        if (body.position() - doneTo >= STEP_BYTES) {
            read(body, body.position());
        }
    }

    /** The body has grown up to its position, and its last bytes have this checksum. */
    void grown(ByteBuffer body, int bytes, int sum) {
        read(body, body.position() - bytes);
        bodyCrc.add(sum, bytes);
        doneTo = body.position();
    }

    private void read(ByteBuffer body, int end) {
        bodyCrc.add(crc(body, doneTo, end), end - doneTo);
        doneTo = end;
    }

    private int crc(ByteBuffer bytes, int from, int to) {
        partCrc.reset();
        partCrc.update(bytes.slice(from, to - from));
        return (int) partCrc.getValue();
    }

    /** The bytes from this index on will be replaced. */
    void cutTo(int bodyIndex) {
        if (bodyIndex < doneTo) {
            clear();
        }
    }

    void clear() {
        bodyCrc.clear();
        doneTo = 0;
    }

    /** The checksum of the group in these bytes, which are {@code length} long. Starts again. */
    int of(long storeId, ByteBuffer whole, int length) {
        if (doneTo == 0) {
            return LogGroupLayout.crc(storeId, whole, 0, length);
        }
        int restAt = LogGroupLayout.HEADER_BYTES + doneTo;
        int end = length - LogGroupLayout.CRC_BYTES;
        bodyCrc.add(crc(whole, restAt, end), end - restAt);
        int afterHeader = bodyCrc.value();
        clear();
        int header = LogGroupLayout.headerCrc(storeId, whole);
        int joined = JoinedCrc.join(header, afterHeader, end - LogGroupLayout.HEADER_BYTES);
        assert joined == LogGroupLayout.crc(storeId, whole, 0, length) : "an entry has another checksum than was said";
        return joined;
    }
}
