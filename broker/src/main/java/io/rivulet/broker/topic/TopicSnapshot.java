package io.rivulet.broker.topic;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.function.Consumer;

/**
 * A snapshot of the catalogue: the shortest list of entries that makes it.
 *
 * <pre>
 * | for each entry: length 4, entry as in {@link TopicEntryLayout} | 0 4 |
 * </pre>
 *
 * <p>Crash policy: the store checksums snapshots and uses a complete one or none. A snapshot may have changes that were
 * made while it was written; a replay applies them again without effect. Stateless.
 */
final class TopicSnapshot {
    private static final int BUFFER_BYTES = 64 << 10;
    private static final int END = 0;

    private TopicSnapshot() {}

    static void write(TopicCatalogue catalogue, WritableByteChannel out) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
        String clusterId = catalogue.clusterId();
        if (clusterId != null) {
            put(TopicEntryLayout.clusterNamed(clusterId), buffer, out);
        }
        put(TopicEntryLayout.topicsFollow(catalogue.size()), buffer, out);
        try {
            catalogue.forEach(topic -> putTopic(topic, buffer, out));
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        if (buffer.remaining() < Integer.BYTES) {
            drain(buffer, out);
        }
        buffer.putInt(END);
        drain(buffer, out);
    }

    private static void putTopic(Topic topic, ByteBuffer buffer, WritableByteChannel out) {
        int[] before = {0};
        topic.forEachRange((firstQueueId, count) -> {
            ByteBuffer entry = before[0] == 0
                    ? TopicEntryLayout.created(
                            topic.id(),
                            topic.asciiName(),
                            firstQueueId,
                            count,
                            topic.settings().overrides())
                    : TopicEntryLayout.partitionsAdded(topic.id(), before[0], firstQueueId, count);
            before[0] += count;
            try {
                put(entry, buffer, out);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    private static void put(ByteBuffer entry, ByteBuffer buffer, WritableByteChannel out) throws IOException {
        if (buffer.remaining() < Integer.BYTES + entry.remaining()) {
            drain(buffer, out);
        }
        if (buffer.remaining() < Integer.BYTES + entry.remaining()) {
            write(ByteBuffer.allocate(Integer.BYTES).putInt(entry.remaining()).flip(), out);
            write(entry, out);
        } else {
            buffer.putInt(entry.remaining()).put(entry);
        }
    }

    private static void drain(ByteBuffer buffer, WritableByteChannel out) throws IOException {
        write(buffer.flip(), out);
        buffer.clear();
    }

    private static void write(ByteBuffer bytes, WritableByteChannel out) throws IOException {
        while (bytes.hasRemaining()) {
            out.write(bytes);
        }
    }

    /** An entry is valid during the call only. */
    static void read(ReadableByteChannel in, Consumer<ByteBuffer> entries) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES).limit(0);
        while (true) {
            buffer = filled(buffer, Integer.BYTES, in);
            int length = buffer.getInt();
            if (length == END) {
                return;
            }
            buffer = filled(buffer, length, in);
            int end = buffer.position() + length;
            int limit = buffer.limit();
            entries.accept(buffer.limit(end));
            buffer.limit(limit).position(end);
        }
    }

    /** The buffer, or a larger one, filled with so many bytes of the snapshot. */
    private static ByteBuffer filled(ByteBuffer buffer, int bytes, ReadableByteChannel in) throws IOException {
        if (buffer.remaining() >= bytes) {
            return buffer;
        }
        ByteBuffer filling =
                bytes > buffer.capacity() ? ByteBuffer.allocate(bytes).put(buffer) : buffer.compact();
        while (filling.position() < bytes) {
            if (in.read(filling) < 0) {
                throw new EOFException("the snapshot of the topics ends too early");
            }
        }
        return filling.flip();
    }
}
