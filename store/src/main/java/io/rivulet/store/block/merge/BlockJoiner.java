package io.rivulet.store.block.merge;

import io.rivulet.store.block.read.InlinedRecord;
import io.rivulet.store.block.read.LogPayloads;
import io.rivulet.store.block.write.BlockFileWriter;
import io.rivulet.store.block.write.BlockStatistics;
import io.rivulet.store.stream.StreamCursor;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Joins small blocks of one queue into large ones. Gathers records until a block is full, splits blocks that are too
 * long, and replaces references to old parts of the log by the payloads.
 *
 * <p>Memory: one block of the target size, and one payload after the first one was inlined. Owned by: background
 * thread.
 */
final class BlockJoiner {
    private final InlinedRecord inlined;
    private final long inlineBelowLsn;
    private final ByteBuffer gathered;
    private final BlockStatistics facts = new BlockStatistics();
    private final StreamCursor cursor = new StreamCursor();
    private int queueId;
    private long blockOffset;
    private long nextOffset;

    /** @param gathered its capacity is the target size of a block */
    BlockJoiner(ByteBuffer gathered, LogPayloads log, long inlineBelowLsn) {
        this.inlined = new InlinedRecord(log);
        this.inlineBelowLsn = inlineBelowLsn;
        this.gathered = gathered;
    }

    /** Begins a queue. The previous one must have been ended. */
    void begin(int queueId) {
        this.queueId = queueId;
        this.blockOffset = 0;
        this.nextOffset = 0;
        gathered.clear();
        facts.clear();
    }

    /** Adds whole records that follow the records added before. */
    void add(ByteBuffer stream, long baseOffset, BlockFileWriter writer) throws IOException {
        if (baseOffset < nextOffset) {
            throw new IllegalStateException("queue " + queueId + " has offset " + baseOffset + " after " + nextOffset);
        }
        if (baseOffset > nextOffset) {
            end(writer);
        }
        cursor.reset(stream, stream.position(), stream.limit(), baseOffset);
        int copiedTo = stream.position();
        while (cursor.next()) {
            boolean inline = cursor.isReference() && cursor.referenceLsn() < inlineBelowLsn;
            if (inline || isFull(cursor.nextRecordAt() - copiedTo)) {
                gather(stream, copiedTo, cursor.recordAt());
                copiedTo = cursor.recordAt();
                end(writer);
            }
            if (inline) {
                writeInlined(writer);
                copiedTo = cursor.nextRecordAt();
            } else if (cursor.recordBytes() > gathered.capacity()) {
                writeAlone(stream.slice(copiedTo, cursor.recordBytes()), writer);
                copiedTo = cursor.nextRecordAt();
            } else {
                addFacts();
            }
        }
        if (!cursor.isSound()) {
            throw new IllegalStateException(
                    "the records of queue " + queueId + " from " + baseOffset + " don't add up");
        }
        gather(stream, copiedTo, stream.limit());
        nextOffset = cursor.nextOffset();
    }

    private boolean isFull(int moreBytes) {
        return gathered.position() + moreBytes > gathered.capacity() || !facts.hasRoomFor(cursor.recordCount());
    }

    private void addFacts() {
        if (facts.offsetCount() == 0) {
            blockOffset = cursor.baseOffset();
        }
        facts.add(cursor);
    }

    private void gather(ByteBuffer stream, int from, int to) {
        if (to > from) {
            gathered.put(gathered.position(), stream, from, to - from).position(gathered.position() + to - from);
        }
    }

    /** Writes a record that is longer than a block as a block of its own. */
    private void writeAlone(ByteBuffer record, BlockFileWriter writer) throws IOException {
        addFacts();
        writer.append(queueId, blockOffset, record, facts);
        facts.clear();
    }

    private void writeInlined(BlockFileWriter writer) throws IOException {
        ByteBuffer record = inlined.read(queueId, cursor);
        blockOffset = cursor.baseOffset();
        facts.add(cursor.recordCount(), cursor.timestampDelta());
        writer.append(queueId, blockOffset, record, facts);
        facts.clear();
    }

    /** Writes the gathered records. */
    void end(BlockFileWriter writer) throws IOException {
        if (gathered.position() > 0) {
            writer.append(queueId, blockOffset, gathered.flip(), facts);
            gathered.clear();
            facts.clear();
        }
    }
}
