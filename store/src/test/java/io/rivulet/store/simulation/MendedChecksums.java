package io.rivulet.store.simulation;

import io.rivulet.store.io.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Corrects the checksums of groups that are read, so that checks always succeed. The places of the fields are those of
 * docs/ON_DISK_FORMAT.md.
 */
public final class MendedChecksums implements LyingDisk.Lie {
    private static final int GROUP_MAGIC = 0x52764772;
    private static final int SEGMENT_HEADER_BYTES = 4096;
    private static final int STORE_ID_AT = 16;
    private static final int MIN_GROUP_BYTES = 60;

    @Override
    public void read(DiskFile file, long address, ByteBuffer bytes) throws IOException {
        if (file.name().endsWith(".segment") && address >= SEGMENT_HEADER_BYTES) {
            ByteBuffer storeId = ByteBuffer.allocate(Long.BYTES);
            file.read(STORE_ID_AT, storeId);
            storeId.flip();
            for (int at = 0; at + MIN_GROUP_BYTES < bytes.limit(); at += Long.BYTES) {
                if (bytes.getInt(at) == GROUP_MAGIC) {
                    mendGroup(storeId, bytes, at);
                }
            }
        }
    }

    private static void mendGroup(ByteBuffer storeId, ByteBuffer bytes, int at) {
        int length = bytes.getInt(at + Integer.BYTES);
        if (length >= MIN_GROUP_BYTES && length <= bytes.limit() - at) {
            CRC32C crc = new CRC32C();
            crc.update(storeId.duplicate());
            crc.update(bytes.slice(at, length - Integer.BYTES));
            bytes.putInt(at + length - Integer.BYTES, (int) crc.getValue());
        }
    }
}
