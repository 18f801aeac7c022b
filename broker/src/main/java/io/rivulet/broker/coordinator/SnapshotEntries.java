package io.rivulet.broker.coordinator;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.List;
import java.util.function.Consumer;

/**
 * The log entries in the snapshot of a coordinator.
 *
 * <pre>
 * | for each entry: length 4, entry | 0 4 |
 * </pre>
 *
 * <p>Crash policy: the store keeps snapshots checksummed and uses a complete one or none.
 */
public final class SnapshotEntries {
    private static final int BUFFER_BYTES = 64 << 10;
    private static final int END = 0;

    private SnapshotEntries() {}

    public static void write(List<ByteBuffer> entries, WritableByteChannel out) throws IOException {
        int bytes = 0;
        for (ByteBuffer entry : entries) {
            bytes += Integer.BYTES + entry.remaining();
        }
        ByteBuffer framed = ByteBuffer.allocate(bytes);
        entries.forEach(entry -> framed.putInt(entry.remaining()).put(entry));
        writeFully(framed.flip(), out);
    }

    public static void writeEnd(WritableByteChannel out) throws IOException {
        writeFully(ByteBuffer.allocate(Integer.BYTES).putInt(END).flip(), out);
    }

    public static void writeFully(ByteBuffer bytes, WritableByteChannel out) throws IOException {
        while (bytes.hasRemaining()) {
            out.write(bytes);
        }
    }

    public static DataInputStream reader(ReadableByteChannel in) {
        return new DataInputStream(new BufferedInputStream(Channels.newInputStream(in), BUFFER_BYTES));
    }

    /** Reads all entries up to the end. */
    public static void read(DataInputStream in, Consumer<ByteBuffer> entries) throws IOException {
        for (int length = in.readInt(); length != END; length = in.readInt()) {
            entries.accept(readFully(in, length));
        }
    }

    public static ByteBuffer readFully(DataInputStream in, int length) throws IOException {
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("the snapshot ends too early");
        }
        return ByteBuffer.wrap(bytes);
    }
}
