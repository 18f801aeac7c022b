package io.rivulet.store.queue;

import io.rivulet.store.stream.Varint;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Writes numbers into a stream and computes their checksum. Buffers 64 KiB.
 *
 * <p>Owned by: the thread that takes the snapshot.
 */
final class SnapshotOutput {
    private static final int BUFFER_BYTES = 64 * 1024;

    private final OutputStream out;
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
    private final CRC32C crc = new CRC32C();
    private int at;

    SnapshotOutput(OutputStream out) {
        this.out = out;
    }

    void putByte(int value) throws IOException {
        makeRoom();
        buffer.put(at++, (byte) value);
    }

    void putInt(int value) throws IOException {
        makeRoom();
        buffer.putInt(at, value);
        at += Integer.BYTES;
    }

    void putVarint(long value) throws IOException {
        makeRoom();
        at = Varint.put(buffer, at, value);
    }

    void putZigzag(long value) throws IOException {
        putVarint(Varint.zigzag(value));
    }

    /** Writes the rest, and the checksum of all. */
    void finish() throws IOException {
        drain();
        buffer.putInt(0, (int) crc.getValue());
        out.write(buffer.array(), 0, Integer.BYTES);
    }

    private void makeRoom() throws IOException {
        if (at > BUFFER_BYTES - Varint.MAX_LONG_BYTES) {
            drain();
        }
    }

    private void drain() throws IOException {
        crc.update(buffer.array(), 0, at);
        out.write(buffer.array(), 0, at);
        at = 0;
    }
}
