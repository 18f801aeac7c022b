package io.rivulet.store.sweep;

import io.rivulet.store.block.read.InlinedRecord;
import io.rivulet.store.block.read.LogPayloads;
import io.rivulet.store.block.write.BlockFileWriter;
import io.rivulet.store.failure.LogLimit;
import io.rivulet.store.stream.StreamCursor;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Appends swept records to a block file. If the log does not keep batches, those that the records refer to are read
 * from there and take the place of the references. A batch that can't be read stays a reference: it keeps the log from
 * being trimmed, and a later merge tries again.
 *
 * <p>Owned by: the sweeper.
 */
final class SweptRecords {
    private static final Logger LOG = LoggerFactory.getLogger(SweptRecords.class);
    private static final LogLimit LIMIT = LogLimit.aMinute(3);

    /** Of referenced batches that are copied from the tail at once: the size of the file is checked in between. */
    private static final long REFERENCED_AT_ONCE = 4 << 20;

    private final @Nullable InlinedRecord inlined;
    private final StreamCursor cursor = new StreamCursor();

    /** @param log where batches are that have to be copied; null if there are none */
    SweptRecords(@Nullable LogPayloads log) {
        inlined = log == null ? null : new InlinedRecord(log);
    }

    /** How many bytes of batches the records of one {@link #append} may refer to, and one batch more. */
    long referencedAtOnce() {
        return inlined == null ? Long.MAX_VALUE : REFERENCED_AT_ONCE;
    }

    /** Appends whole records of a queue. Returns how many bytes of batches were read from the log. */
    long append(BlockFileWriter file, int queueId, long baseOffset, ByteBuffer stream) throws IOException {
        if (inlined == null) {
            file.append(queueId, baseOffset, stream);
            return 0;
        }
        cursor.reset(stream, stream.position(), stream.limit(), baseOffset);
        int from = stream.position();
        long fromOffset = baseOffset;
        long inlinedBytes = 0;
        while (cursor.next()) {
            ByteBuffer whole = cursor.isReference() && !cursor.isHuge() ? read(inlined, queueId) : null;
            if (whole != null) {
                if (cursor.recordAt() > from) {
                    file.append(queueId, fromOffset, stream.slice(from, cursor.recordAt() - from));
                }
                file.append(queueId, cursor.baseOffset(), whole);
                from = cursor.nextRecordAt();
                fromOffset = cursor.nextOffset();
                inlinedBytes += cursor.payloadLength();
            }
        }
        if (from < stream.limit() || !cursor.isSound()) {
            file.append(queueId, fromOffset, stream.slice(from, stream.limit() - from));
        }
        return inlinedBytes;
    }

    private @Nullable ByteBuffer read(InlinedRecord record, int queueId) {
        try {
            return record.read(queueId, cursor);
        } catch (IOException e) {
            LIMIT.log(more -> LOG.warn(
                    "A batch of queue {} at offset {} stays in the log, which grows: {}{}",
                    queueId,
                    cursor.baseOffset(),
                    e.getMessage(),
                    more));
            return null;
        }
    }
}
