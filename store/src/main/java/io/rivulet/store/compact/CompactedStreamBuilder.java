package io.rivulet.store.compact;

import io.rivulet.store.block.write.BlockFileWriter;
import io.rivulet.store.block.write.BlockStatistics;
import io.rivulet.store.stream.StreamCursor;
import io.rivulet.store.stream.StreamRecord;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Builds blocks from the rest of a queue: batches, and holes; neighbouring holes become one.
 *
 * <p>Memory: one block of the target size, or one batch. Owned by: background thread.
 */
final class CompactedStreamBuilder {
    private final BlockStatistics facts = new BlockStatistics();
    private final int targetBytes;
    private ByteBuffer gathered;
    private int queueId;
    private long blockOffset;
    private long nextOffset;
    private long hole;

    CompactedStreamBuilder(int targetBytes) {
        this.targetBytes = targetBytes;
        this.gathered = ByteBuffer.allocateDirect(targetBytes);
    }

    /** Begins a queue. The previous one must have been ended. */
    void begin(int newQueueId, long firstOffset) {
        queueId = newQueueId;
        blockOffset = firstOffset;
        nextOffset = firstOffset;
        hole = 0;
        gathered.clear();
        facts.clear();
    }

    void hole(int count) {
        hole += count;
    }

    void batch(ByteBuffer payload, int count, long timestampDelta, BlockFileWriter writer) throws IOException {
        putHole(writer);
        int bytes = StreamRecord.inlineBytes(payload.remaining(), count, timestampDelta);
        makeRoom(bytes, count, writer);
        int end = StreamRecord.putInline(
                gathered, gathered.position(), count, timestampDelta, payload, payload.position(), payload.remaining());
        gathered.position(end);
        facts.add(count, timestampDelta);
        nextOffset += count;
    }

    /** Adds the reference to a huge batch, which stays in its file. */
    void reference(StreamCursor record, ByteBuffer bytes, BlockFileWriter writer) throws IOException {
        putHole(writer);
        makeRoom(bytes.remaining(), record.recordCount(), writer);
        gathered.put(bytes);
        facts.add(record);
        nextOffset += record.recordCount();
    }

    private void putHole(BlockFileWriter writer) throws IOException {
        while (hole > 0) {
            int count = (int) Math.min(hole, Integer.MAX_VALUE);
            makeRoom(StreamRecord.holeBytes(count), count, writer);
            gathered.position(StreamRecord.putHole(gathered, gathered.position(), count));
            facts.addHole(count);
            nextOffset += count;
            hole -= count;
        }
    }

    private void makeRoom(int bytes, int count, BlockFileWriter writer) throws IOException {
        boolean full = gathered.position() + bytes > targetBytes || facts.offsetCount() > Integer.MAX_VALUE - count;
        if (full) {
            write(writer);
        }
        if (bytes > gathered.capacity()) {
            gathered = ByteBuffer.allocateDirect(bytes);
        }
    }

    private void write(BlockFileWriter writer) throws IOException {
        if (gathered.position() > 0) {
            writer.append(queueId, blockOffset, gathered.flip(), facts);
        }
        gathered.clear();
        facts.clear();
        blockOffset = nextOffset;
    }

    /** Writes what was gathered. */
    void end(BlockFileWriter writer) throws IOException {
        putHole(writer);
        write(writer);
    }
}
