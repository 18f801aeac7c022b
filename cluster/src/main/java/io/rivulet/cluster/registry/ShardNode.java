package io.rivulet.cluster.registry;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The node of a shard, which every decision about the shard replaces. Big-endian. Immutable.
 *
 * <pre>
 *   0        4        8        12       16
 *  +--------+--------+--------+--------+
 *  | magic  | crc32c | version| flags  |   flags: 1 owned, 2 must wait
 *  +--------+--------+--------+--------+ 16
 *  | epoch           | number          |   number and id: of the owner
 *  +--------+--------+--------+--------+ 32
 *  | id     | sinceMillis     | log ...     version 1 has no sinceMillis
 *  +--------+-----------------+--------
 * </pre>
 *
 * <p>The CRC covers everything from byte 8 on.
 *
 * @param epoch counts the claims
 * @param owner null if the last one has released the shard
 * @param mustWait whether an earlier owner may still answer from state, so that the next one must wait
 * @param sinceMillis when it was claimed or released, by the clock of that broker; 0 if that is unknown. Shown to
 *     operators; no decision depends on it
 * @param log the record of the log; empty before the first opening
 */
public record ShardNode(long epoch, @Nullable Incarnation owner, boolean mustWait, long sinceMillis, ByteBuffer log) {
    private static final int MAGIC = 0x52765368; // "RvSh"
    private static final int FIRST_VERSION = 1;
    private static final int VERSION = 2;
    private static final int MAGIC_AT = 0;
    private static final int CRC_AT = 4;
    private static final int VERSION_AT = 8;
    private static final int FLAGS_AT = 12;
    private static final int EPOCH_AT = 16;
    private static final int NUMBER_AT = 24;
    private static final int ID_AT = 32;
    private static final int SINCE_AT = 36;
    private static final int LOG_AT_OF_FIRST_VERSION = 36;
    private static final int LOG_AT = 44;
    private static final int OWNED = 1;
    private static final int MUST_WAIT = 2;

    /** A shard that nobody has owned. */
    public static final ShardNode NEW = new ShardNode(0, null, false, 0, ByteBuffer.allocate(0));

    public ShardNode {
        ByteBuffer copy = ByteBuffer.allocate(log.remaining());
        log = copy.put(log.duplicate()).flip().asReadOnlyBuffer();
    }

    /** Its bytes from position 0 to the limit. */
    @Override
    public ByteBuffer log() {
        return log.duplicate();
    }

    public boolean isOwnedBy(Incarnation who) {
        return who.equals(owner);
    }

    /** Owned by somebody else, with the next epoch. */
    public ShardNode claimedBy(Incarnation who) {
        return new ShardNode(epoch + 1, who, true, 0, log);
    }

    /** @param nextMustWait false only if no owner answers from state any more, this one included */
    public ShardNode released(boolean nextMustWait) {
        return new ShardNode(epoch, null, nextMustWait, 0, log);
    }

    /** Claimed or released at this time. */
    public ShardNode since(long millis) {
        return new ShardNode(epoch, owner, mustWait, millis, log);
    }

    public ShardNode withLog(ByteBuffer record) {
        return new ShardNode(epoch, owner, mustWait, sinceMillis, record);
    }

    public ByteBuffer encode() {
        ByteBuffer bytes = ByteBuffer.allocate(LOG_AT + log.remaining());
        bytes.putInt(MAGIC_AT, MAGIC);
        bytes.putInt(VERSION_AT, VERSION);
        bytes.putInt(FLAGS_AT, (owner == null ? 0 : OWNED) | (mustWait ? MUST_WAIT : 0));
        bytes.putLong(EPOCH_AT, epoch);
        bytes.putLong(SINCE_AT, sinceMillis);
        if (owner != null) {
            bytes.putLong(NUMBER_AT, owner.number());
            bytes.putInt(ID_AT, owner.brokerId());
        }
        bytes.position(LOG_AT).put(log.duplicate()).rewind();
        return bytes.putInt(CRC_AT, crc(bytes));
    }

    /** @throws IOException if these are not the bytes of a node, or a later version has written it */
    public static ShardNode decode(ByteBuffer stored) throws IOException {
        ByteBuffer bytes = stored.slice();
        if (bytes.limit() < LOG_AT_OF_FIRST_VERSION
                || bytes.getInt(MAGIC_AT) != MAGIC
                || bytes.getInt(CRC_AT) != crc(bytes)) {
            throw new IOException("the node of a shard is altered");
        }
        int version = bytes.getInt(VERSION_AT);
        int logAt = version == FIRST_VERSION ? LOG_AT_OF_FIRST_VERSION : LOG_AT;
        if (version < FIRST_VERSION || version > VERSION || bytes.limit() < logAt) {
            throw new IOException("version " + version + " of a shard's node is not 1 or " + VERSION);
        }
        int flags = bytes.getInt(FLAGS_AT);
        Incarnation owner =
                (flags & OWNED) == 0 ? null : new Incarnation(bytes.getInt(ID_AT), bytes.getLong(NUMBER_AT));
        return new ShardNode(
                bytes.getLong(EPOCH_AT),
                owner,
                (flags & MUST_WAIT) != 0,
                version == FIRST_VERSION ? 0 : bytes.getLong(SINCE_AT),
                bytes.slice(logAt, bytes.limit() - logAt));
    }

    private static int crc(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.slice(VERSION_AT, bytes.limit() - VERSION_AT));
        return (int) crc.getValue();
    }
}
