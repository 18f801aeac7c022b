package io.rivulet.store.block.read;

import static io.rivulet.store.block.format.BlockFileLayout.BLOCK_HEADER_BYTES;

import io.rivulet.store.block.format.BlockEntry;
import io.rivulet.store.block.format.BlockFileFooter;
import io.rivulet.store.cache.FileBytes;
import io.rivulet.store.cache.PageClass;
import io.rivulet.store.stream.StreamCursor;
import io.rivulet.store.stream.StreamRecord;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.OptionalLong;

/**
 * Reads records of queues from block files. Each block is verified on every read, also when it comes from the cache,
 * before the caller gets its bytes.
 *
 * <p>Owned by: one thread that may wait for a disk; create one for each. Memory: {@link VerifiedPages}, {@link
 * SmallBlockReads}, 128 KiB after the first block that spans cache pages, and up to 4 MiB more while it reads a block
 * of a single huge record.
 */
public final class BlockReader {
    private static final int SCRATCH_BYTES = 128 << 10;
    private static final ByteBuffer NO_SCRATCH = ByteBuffer.allocate(0);

    private final BlockFiles files;
    private final int aheadBytes;
    private final StreamCursor cursor = new StreamCursor();
    private final VerifiedPages known = new VerifiedPages();
    private final SmallBlockReads lone = new SmallBlockReads();
    private ByteBuffer scratch = NO_SCRATCH;

    /** @param aheadBytes how much of the same queue a SCAN read may load in addition to its block */
    public BlockReader(BlockFiles files, int aheadBytes) {
        this.files = files;
        this.aheadBytes = aheadBytes;
    }

    /**
     * Puts as many whole records as fit into {@code target} at its position. Begins with the record that holds {@code
     * offset}, or with the first after it. A reference needs at least as much room as its payload: the target's limit
     * is lowered accordingly.
     *
     * @param pageClass TAIL for a reader near the end of its queue. SCAN for one that catches up: its pages are loaded
     *     ahead and dropped after it
     * @throws BlockReadException if a part that this read needs is damaged or unreadable. If the target got records
     *     before that, the read ends normally, and the next one throws
     */
    public BlockRead read(int queueId, long offset, ByteBuffer target, PageClass pageClass) throws IOException {
        int from = target.position();
        BlockSearch search = files.search(queueId, Long.MIN_VALUE, known);
        BlockRead first = readBlock(search, offset, target, pageClass);
        if (first.outcome() != BlockRead.Outcome.RECORDS) {
            return first;
        }
        long nextOffset = first.nextOffset();
        while (target.hasRemaining()) {
            int mark = target.position();
            BlockRead more = readMore(search, nextOffset, target, pageClass);
            if (more.outcome() != BlockRead.Outcome.RECORDS || more.baseOffset() != nextOffset) {
                target.position(mark);
                break;
            }
            nextOffset = more.nextOffset();
        }
        return new BlockRead(first.outcome(), first.baseOffset(), nextOffset, target.position() - from);
    }

    /** Nothing if the block is damaged. */
    private BlockRead readMore(BlockSearch search, long offset, ByteBuffer target, PageClass pageClass)
            throws IOException {
        try {
            return readBlock(search, offset, target, pageClass);
        } catch (BlockReadException e) {
            return BlockRead.nothing(offset);
        }
    }

    private BlockRead readBlock(BlockSearch search, long offset, ByteBuffer target, PageClass pageClass)
            throws IOException {
        FoundBlock found = search.next(offset);
        if (found == null) {
            return BlockRead.nothing(offset);
        }
        try (found) {
            BlockEntry block = found.block();
            int ahead = aheadOf(found, pageClass);
            BlockRead read;
            if (pageClass == PageClass.SCAN && ahead == 0 && block.blockBytes() <= SmallBlockReads.MAX_BYTES) {
                ByteBuffer bytes = found.file().readLoneBlock(block, lone);
                read = copyRecords(found, bytes.position(bytes.position() + BLOCK_HEADER_BYTES), offset, target);
            } else {
                try (FileBytes bytes = found.file().readBlock(block, ahead, pageClass)) {
                    read = copyRecords(found, stream(bytes, block), offset, target);
                }
            }
            if (pageClass == PageClass.SCAN && read.nextOffset() == block.endOffset()) {
                found.file().passed(block.startAddress(), block.blockBytes());
            }
            return read;
        }
    }

    private int aheadOf(FoundBlock found, PageClass pageClass) {
        long sameQueue = found.runEndAddress() - found.block().endAddress();
        return pageClass == PageClass.SCAN ? (int) Math.min(aheadBytes, sameQueue) : 0;
    }

    /** The block's stream in one piece: in its cache page, or copied. */
    private ByteBuffer stream(FileBytes bytes, BlockEntry block) {
        if (scratch.capacity() == 0) {
            scratch = ByteBuffer.allocate(SCRATCH_BYTES);
        }
        ByteBuffer room = block.streamBytes() <= SCRATCH_BYTES ? scratch : ByteBuffer.allocate(block.streamBytes());
        return bytes.contiguous(BLOCK_HEADER_BYTES, block.streamBytes(), room);
    }

    private BlockRead copyRecords(FoundBlock found, ByteBuffer stream, long offset, ByteBuffer target)
            throws BlockReadException {
        cursor.reset(stream, stream.position(), stream.limit(), found.block().baseOffset());
        if (!seek(offset)) {
            throw unsound(found);
        }
        int from = cursor.recordAt();
        long baseOffset = cursor.baseOffset();
        if (cursor.recordBytes() > target.remaining()) {
            return new BlockRead(BlockRead.Outcome.TOO_SMALL, baseOffset, baseOffset, cursor.recordBytes());
        }
        int room = target.remaining();
        int to;
        long nextOffset;
        boolean more;
        do {
            room -= countedBytes();
            to = cursor.nextRecordAt();
            nextOffset = cursor.nextOffset();
            more = cursor.next();
        } while (more && countedBytes() <= room);
        if (!cursor.isSound()) {
            throw unsound(found);
        }
        target.put(target.position(), stream, from, to - from).position(target.position() + to - from);
        target.limit(target.position() + Math.max(0, room));
        return new BlockRead(BlockRead.Outcome.RECORDS, baseOffset, nextOffset, to - from);
    }

    private int countedBytes() {
        return cursor.isReference() ? StreamRecord.REFERENCE_FROM_BYTES : cursor.recordBytes();
    }

    /** Moves the cursor to the first record that ends after the offset. */
    private boolean seek(long offset) {
        while (cursor.next()) {
            if (cursor.nextOffset() > offset) {
                return true;
            }
        }
        return false;
    }

    /** The checksum of the block is valid but its records are not: the writer made a mistake. */
    private static BlockReadException unsound(FoundBlock found) {
        return BlockReadException.corrupt(
                found.file().name(), found.block().startAddress(), "the records of " + found.block() + " don't add up");
    }

    /**
     * The first offset of the first record that ends after {@code offset} and whose highest timestamp is at least this
     * one. Empty if no block file has one: continue in the tail.
     */
    public OptionalLong offsetForTimestamp(int queueId, long offset, long timestampDelta) throws IOException {
        BlockSearch search = files.search(queueId, timestampDelta, known);
        long next = offset;
        while (true) {
            FoundBlock found = search.next(next);
            if (found == null) {
                return OptionalLong.empty();
            }
            try (found) {
                if (found.block().maxTimestampDelta() >= timestampDelta) {
                    OptionalLong record = recordForTimestamp(found, offset, timestampDelta);
                    if (record.isPresent()) {
                        return record;
                    }
                }
                next = found.block().endOffset();
            }
        }
    }

    /**
     * The first offset of the record with the highest timestamp of all that end after {@code offset} and are in block
     * files, if that timestamp is above the given one. Reads directories, and a block or two.
     */
    public OptionalLong offsetOfHighestTimestamp(int queueId, long offset, long aboveTimestampDelta)
            throws IOException {
        long highest = aboveTimestampDelta;
        long inBlock = -1;
        for (long next = offset; ; ) {
            FoundBlock found = files.search(queueId, highest, known).next(next);
            if (found == null) {
                break;
            }
            try (found) {
                next = found.block().endOffset();
                long highestHere = highestTimestamp(found, offset);
                if (highestHere > highest) {
                    highest = highestHere;
                    inBlock = Math.max(offset, found.block().baseOffset());
                }
            }
        }
        return inBlock < 0 ? OptionalLong.empty() : offsetForTimestamp(queueId, inBlock, highest);
    }

    /**
     * The highest timestamp of the block's records that end after the offset. If that is all of them, the directory
     * entry has it.
     */
    private long highestTimestamp(FoundBlock found, long offset) throws IOException {
        BlockEntry block = found.block();
        if (block.baseOffset() >= offset) {
            return block.maxTimestampDelta();
        }
        long highest = Long.MIN_VALUE;
        try (FileBytes bytes = found.file().readBlock(block, 0, PageClass.TAIL)) {
            ByteBuffer stream = stream(bytes, block);
            cursor.reset(stream, stream.position(), stream.limit(), block.baseOffset());
            while (cursor.next()) {
                highest = !cursor.isHole() && cursor.nextOffset() > offset
                        ? Math.max(highest, cursor.timestampDelta())
                        : highest;
            }
        }
        return highest;
    }

    /** Receives the pieces of queues, one after the other. */
    public interface PieceVisitor {
        /** Pieces that end at or before this offset are not needed. */
        long startOffset(int queueId);

        /** The piece ends before this offset. No batch spans it. */
        void piece(int queueId, long endOffset, long bytes);
    }

    /**
     * Visits what some queues have in block files, oldest file first. A piece is a block, or a batch if the block may
     * have references; {@code bytes} includes the referenced payload. Each directory page is read once, also if it has
     * several of the queues.
     *
     * @param queueIds uses those from {@code from} to {@code to - 1}; they ascend
     */
    public void forEachPiece(int[] queueIds, int from, int to, PieceVisitor visitor) throws IOException {
        files.forEachBlockOf(
                queueIds,
                from,
                to,
                (file, block) -> showPieces(file, block, visitor.startOffset(block.queueId()), visitor));
    }

    private void showPieces(BlockFile file, BlockEntry block, long startOffset, PieceVisitor visitor)
            throws IOException {
        if (block.endOffset() <= startOffset) {
            return;
        }
        if (file.footer().lowestLsn() == BlockFileFooter.NO_REFERENCE) {
            visitor.piece(block.queueId(), block.endOffset(), block.streamBytes());
        } else {
            forEachBatch(file, block, startOffset, visitor);
        }
    }

    private void forEachBatch(BlockFile file, BlockEntry block, long startOffset, PieceVisitor visitor)
            throws IOException {
        try (FileBytes bytes = file.readBlock(block, 0, PageClass.SCAN)) {
            ByteBuffer stream = stream(bytes, block);
            cursor.reset(stream, stream.position(), stream.limit(), block.baseOffset());
            while (cursor.next()) {
                if (cursor.nextOffset() > startOffset) {
                    visitor.piece(block.queueId(), cursor.nextOffset(), cursor.payloadLength());
                }
            }
        }
    }

    private OptionalLong recordForTimestamp(FoundBlock found, long offset, long timestampDelta) throws IOException {
        try (FileBytes bytes = found.file().readBlock(found.block(), 0, PageClass.TAIL)) {
            ByteBuffer stream = stream(bytes, found.block());
            cursor.reset(
                    stream, stream.position(), stream.limit(), found.block().baseOffset());
            while (cursor.next()) {
                if (!cursor.isHole() && cursor.nextOffset() > offset && cursor.timestampDelta() >= timestampDelta) {
                    return OptionalLong.of(cursor.baseOffset());
                }
            }
            return OptionalLong.empty();
        }
    }
}
