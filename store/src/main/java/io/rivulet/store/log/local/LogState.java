package io.rivulet.store.log.local;

import io.rivulet.store.io.Disk;
import io.rivulet.store.io.DiskFile;
import io.rivulet.store.log.DamagedLogException;
import io.rivulet.store.log.SnapshotFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Facts about the log that one opening leaves for the next. Big-endian.
 *
 * <pre>
 *   0        4        8        12       16
 *  +--------+--------+--------+--------+
 *  | magic  | crc32c | version| clean  |
 *  +--------+--------+--------+--------+ 16
 *  | storeId         | epoch           |
 *  +-----------------+-----------------+ 32
 *  | durableLsn      | 40
 *  +-----------------+
 * </pre>
 *
 * <p>The CRC covers bytes 8 to 40.
 *
 * <p>Crash policy: durable, checksummed; written to a temporary file, forced, renamed, directory synced. It is saved
 * once between recovery and the first append, so no two openings ever append with the same epoch.
 *
 * @param durableLsn every group before this was on the disk when the state was saved
 * @param clean the log was closed and ends at {@code durableLsn}
 */
record LogState(long storeId, long epoch, long durableLsn, boolean clean) {
    static final String NAME = "log.state";
    static final String ASIDE_NAME = "log.state.new";

    private static final int MAGIC = 0x52765374; // "RvSt"
    private static final int VERSION = 1;
    private static final int MAGIC_AT = 0;
    private static final int CRC_AT = 4;
    private static final int VERSION_AT = 8;
    private static final int CLEAN_AT = 12;
    private static final int STORE_ID_AT = 16;
    private static final int EPOCH_AT = 24;
    private static final int DURABLE_AT = 32;
    private static final int STATE_BYTES = 40;

    /** Null if there is none. */
    static @Nullable LogState load(Disk disk) throws IOException {
        if (!disk.exists(NAME)) {
            return null;
        }
        SnapshotFiles.requireFile(disk, NAME);
        ByteBuffer bytes = ByteBuffer.allocate(STATE_BYTES);
        try (DiskFile file = disk.open(NAME)) {
            file.read(0, bytes);
        }
        if (bytes.getInt(MAGIC_AT) != MAGIC || bytes.getInt(CRC_AT) != crc(bytes)) {
            throw new DamagedLogException(NAME, 0, "the log's state is altered");
        }
        if (bytes.getInt(VERSION_AT) != VERSION) {
            throw new DamagedLogException(
                    NAME, VERSION_AT, "version " + bytes.getInt(VERSION_AT) + " is not " + VERSION);
        }
        return new LogState(
                bytes.getLong(STORE_ID_AT),
                bytes.getLong(EPOCH_AT),
                bytes.getLong(DURABLE_AT),
                bytes.getInt(CLEAN_AT) == 1);
    }

    void save(Disk disk) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocateDirect(STATE_BYTES);
        bytes.putInt(MAGIC_AT, MAGIC);
        bytes.putInt(VERSION_AT, VERSION);
        bytes.putInt(CLEAN_AT, clean ? 1 : 0);
        bytes.putLong(STORE_ID_AT, storeId);
        bytes.putLong(EPOCH_AT, epoch);
        bytes.putLong(DURABLE_AT, durableLsn);
        bytes.putInt(CRC_AT, crc(bytes));
        if (disk.exists(ASIDE_NAME)) {
            disk.delete(ASIDE_NAME);
        }
        try (DiskFile aside = disk.create(ASIDE_NAME)) {
            aside.write(0, bytes);
            aside.force();
        }
        disk.renameDurably(ASIDE_NAME, NAME);
    }

    private static int crc(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.slice(VERSION_AT, STATE_BYTES - VERSION_AT));
        return (int) crc.getValue();
    }
}
