package io.rivulet.store.queue;

import io.rivulet.store.stream.Varint;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.CRC32C;

/**
 * The reverse of {@link SnapshotOutput}. Reads single bytes and never ahead: use a buffered stream.
 *
 * <p>Owned by: the thread that recovers.
 */
final class SnapshotInput {
    private static final int PART_BYTES = 4096;

    private final InputStream in;
    private final CRC32C crc = new CRC32C();
    private final byte[] part = new byte[PART_BYTES];
    private int partBytes;

    SnapshotInput(InputStream in) {
        this.in = in;
    }

    int getByte() throws IOException {
        int value = in.read();
        if (value < 0) {
            throw new EOFException("the snapshot of the queue table is incomplete");
        }
        part[partBytes++] = (byte) value;
        if (partBytes == PART_BYTES) {
            updateCrc();
        }
        return value;
    }

    int getInt() throws IOException {
        return getByte() << 24 | getByte() << 16 | getByte() << 8 | getByte();
    }

    long getVarint() throws IOException {
        long value = 0;
        for (int shift = 0; shift < 7 * Varint.MAX_LONG_BYTES; shift += 7) {
            int b = getByte();
            value |= (long) (b & 0x7F) << shift;
            if (b < 0x80) {
                return value;
            }
        }
        throw new IOException("the snapshot of the queue table is damaged: an incomplete number");
    }

    long getZigzag() throws IOException {
        return Varint.unzigzag(getVarint());
    }

    /** A number from 0 to the maximum. */
    int getInt(String what, int max) throws IOException {
        long value = getVarint();
        QueueSnapshot.require(value >= 0 && value <= max, what);
        return (int) value;
    }

    void requireChecksum() throws IOException {
        updateCrc();
        int expected = (int) crc.getValue();
        QueueSnapshot.require(getInt() == expected, "checksum");
    }

    private void updateCrc() {
        crc.update(part, 0, partBytes);
        partBytes = 0;
    }
}
