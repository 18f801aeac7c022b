package io.rivulet.protocol.record.codec;

import io.rivulet.protocol.record.codec.CodecException.Kind;
import java.nio.ByteBuffer;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;
import net.jpountz.xxhash.StreamingXXHash32;
import net.jpountz.xxhash.XXHashFactory;

/**
 * One LZ4 frame, with independent or linked blocks, with or without content size and checksums. Bytes after the frame
 * are ignored, as in Kafka.
 *
 * <pre>
 *   frame:    04 22 4d 18 | flags | block size | [content size 8] | header checksum
 *             | blocks... | 00 00 00 00 | [checksum 4]
 *   flags:    7..6 version 01 | 5 independent | 4 block checksums | 3 content size | 2 content checksum
 *             | 1 - | 0 dictionary
 *   block:    length int32, top bit: stored | bytes | [checksum 4]            numbers are little-endian
 *   sequence: token: literals (4 bits), match length - 4 (4 bits) | [more literals] | literals
 *             | distance int16 | [more length]
 * </pre>
 *
 * <p>The library lz4-java decompresses the frames of most producers. It does not support linked blocks, and needs two
 * buffers of up to 4 MiB for larger blocks. This class decompresses those with the last 64 KiB of output, which is the
 * range of a match.
 *
 * <p>Memory: {@value #HISTORY_BYTES} bytes of output and {@value #INPUT_BYTES} of input, for all frames. LZ4 expands at
 * most 255 times.
 */
final class Lz4Decompressor extends Decompressor {
    private static final int REACH_BYTES = 64 * 1024;
    private static final int HISTORY_BYTES = 2 * REACH_BYTES;
    private static final int INPUT_BYTES = 4 * 1024;

    /** Up to this length, a loop is faster than a call. */
    private static final int SHORT_COPY_BYTES = 24;

    private static final int MAGIC = 0x184d2204;
    private static final int VERSION_MASK = 0xc0;
    private static final int VERSION = 0x40;
    private static final int INDEPENDENT = 0x20;
    private static final int BLOCK_CHECKSUMS = 0x10;
    private static final int CONTENT_SIZE = 0x08;
    private static final int CONTENT_CHECKSUM = 0x04;
    private static final int RESERVED = 0x02;
    private static final int DICTIONARY = 0x01;
    private static final int BLOCK_SIZE_RESERVED = 0x8f;
    private static final int SMALLEST_BLOCK_CODE = 4;
    private static final int STORED_BIT = 1 << 31;
    private static final int MIN_MATCH = 4;
    private static final int MORE = 15;

    private static final LZ4SafeDecompressor LIBRARY =
            LZ4Factory.fastestInstance().safeDecompressor();

    private final byte[] history = new byte[HISTORY_BYTES];
    private final ByteBuffer historyBuffer = ByteBuffer.wrap(history);
    private final byte[] input = new byte[INPUT_BYTES];
    private final StreamingXXHash32 contentHash = newHash();
    private final StreamingXXHash32 partHash = newHash();
    private int inputIndex;
    private int inputEnd;
    private int readIndex;
    private int writeIndex;

    /** The oldest byte of history that a match may refer to. */
    private int floor;

    private int flags;
    private int blockMaxBytes;
    private long contentLeft;
    private boolean frameOpen;
    private boolean linkedSeen;

    private boolean inBlock;
    private boolean stored;
    private int blockEnd;
    private int blockLeft;
    private int literalsLeft;
    private int matchLeft;
    private int distance;
    private int token;
    private boolean matchFollows;

    @Override
    void reset() {
        inputIndex = 0;
        inputEnd = 0;
        readIndex = 0;
        writeIndex = 0;
        floor = 0;
        inBlock = false;
        linkedSeen = false;
        readFrameHeader();
        frameOpen = true;
    }

    @Override
    public boolean isReadableByKafka() {
        return !linkedSeen;
    }

    @Override
    public void close() {
        super.close();
        contentHash.close();
        partHash.close();
    }

    @Override
    int decompress(byte[] target, int index, int length) {
        if (readIndex == writeIndex && !fill()) {
            return -1;
        }
        int moved = Math.min(length, writeIndex - readIndex);
        System.arraycopy(history, readIndex, target, index, moved);
        readIndex += moved;
        return moved;
    }

    private void readFrameHeader() {
        if (nextIntLE() != MAGIC) {
            throw CodecException.corrupt("not an LZ4 frame");
        }
        int start = sourceIndex;
        flags = nextByte();
        int blockSize = nextByte();
        int code = blockSize >> 4;
        if ((flags & VERSION_MASK) != VERSION
                || (flags & RESERVED) != 0
                || (blockSize & BLOCK_SIZE_RESERVED) != 0
                || code < SMALLEST_BLOCK_CODE) {
            throw CodecException.corrupt("LZ4 frame with flags " + flags + ", block size " + blockSize);
        }
        if (has(DICTIONARY)) {
            throw new CodecException(Kind.UNSUPPORTED, "LZ4 frame with a dictionary");
        }
        blockMaxBytes = 1 << (8 + 2 * code);
        linkedSeen = !has(INDEPENDENT);
        contentLeft = Long.MAX_VALUE;
        if (has(CONTENT_SIZE)) {
            need(Long.BYTES);
            contentLeft = source.getLongLE(sourceIndex);
            sourceIndex += Long.BYTES;
        }
        int descriptorHash = hash(start, sourceIndex - start);
        if (nextByte() != ((descriptorHash >> 8) & 0xff)) {
            throw CodecException.corrupt("LZ4 frame header does not match its checksum");
        }
        if (has(CONTENT_SIZE) && (contentLeft < 0 || contentLeft > outputLeft())) {
            throw new CodecException(Kind.OUTPUT_LIMIT, "an LZ4 frame of " + contentLeft + " bytes is not allowed");
        }
        contentHash.reset();
    }

    /** Produces more output. Returns false at the end of the frame. */
    private boolean fill() {
        makeRoom();
        int start = writeIndex;
        while (writeIndex == start) {
            if (!inBlock && !beginBlock()) {
                return false;
            }
            if (stored) {
                copyStored();
            } else if (fitsLibrary()) {
                decodeByLibrary();
            } else {
                decodeSequences();
            }
        }
        int made = writeIndex - start;
        if (has(CONTENT_CHECKSUM)) {
            contentHash.update(history, start, made);
        }
        contentLeft -= made;
        return true;
    }

    /** Requires that all output is read. An independent block needs no earlier output. */
    private void makeRoom() {
        if (!inBlock && has(INDEPENDENT)) {
            readIndex = 0;
            writeIndex = 0;
        } else if (writeIndex == HISTORY_BYTES) {
            int shift = HISTORY_BYTES - REACH_BYTES;
            System.arraycopy(history, shift, history, 0, REACH_BYTES);
            readIndex -= shift;
            writeIndex -= shift;
            floor = Math.max(0, floor - shift);
        }
    }

    private boolean beginBlock() {
        if (!frameOpen) {
            return false;
        }
        int header = nextIntLE();
        if (header == 0) {
            endFrame();
            return false;
        }
        stored = (header & STORED_BIT) != 0;
        int length = header & ~STORED_BIT;
        if (length == 0 || length > blockMaxBytes) {
            throw CodecException.corrupt("an LZ4 block of " + length + " bytes");
        }
        need(length);
        checkBlock(length);
        blockEnd = sourceIndex + length;
        blockLeft = blockMaxBytes;
        literalsLeft = 0;
        matchLeft = 0;
        matchFollows = false;
        inBlock = true;
        if (has(INDEPENDENT)) {
            floor = writeIndex;
        }
        return true;
    }

    private void checkBlock(int length) {
        if (has(BLOCK_CHECKSUMS)) {
            need((long) length + Integer.BYTES);
            if (hash(sourceIndex, length) != source.getIntLE(sourceIndex + length)) {
                throw CodecException.corrupt("an LZ4 block does not match its checksum");
            }
        }
    }

    private void endBlock() {
        if (has(BLOCK_CHECKSUMS)) {
            sourceIndex += Integer.BYTES;
        }
        inBlock = false;
    }

    private void endFrame() {
        frameOpen = false;
        if (has(CONTENT_SIZE) && contentLeft != 0) {
            throw CodecException.corrupt("an LZ4 frame does not have its declared length");
        }
        if (has(CONTENT_CHECKSUM) && nextIntLE() != contentHash.getValue()) {
            throw CodecException.corrupt("an LZ4 frame does not match its checksum");
        }
    }

    /** Whether the library can decompress the block: independent, at most 64 KiB, in one piece of memory. */
    private boolean fitsLibrary() {
        return has(INDEPENDENT) && blockMaxBytes == REACH_BYTES && source.nioBufferCount() == 1;
    }

    private void decodeByLibrary() {
        int length = blockEnd - sourceIndex;
        ByteBuffer block = source.internalNioBuffer(sourceIndex, length);
        try {
            writeIndex += LIBRARY.decompress(block, block.position(), length, historyBuffer, writeIndex, REACH_BYTES);
        } catch (LZ4Exception e) {
            throw CodecException.corrupt("an LZ4 block: " + e.getMessage());
        }
        sourceIndex = blockEnd;
        endBlock();
    }

    private void copyStored() {
        int room = Math.min(HISTORY_BYTES - writeIndex, blockEnd - sourceIndex);
        writeIndex += nextBytes(history, writeIndex, room);
        if (sourceIndex == blockEnd) {
            endBlock();
        }
    }

    /** Decodes until the block ends or the history is full, which may be in the middle of a sequence. */
    private void decodeSequences() {
        while (writeIndex < HISTORY_BYTES) {
            if (literalsLeft > 0) {
                copyLiterals();
            } else if (matchLeft > 0) {
                copyMatch();
            } else if (!matchFollows) {
                readToken();
            } else if (blockBytesLeft() == 0) {
                endBlock();
                return;
            } else {
                readMatch();
            }
        }
    }

    private void readToken() {
        token = nextBlockByte();
        literalsLeft = lengthFrom(token >> 4);
        if (literalsLeft > blockBytesLeft()) {
            throw CodecException.corrupt("LZ4 literals beyond their block");
        }
        claim(literalsLeft);
        matchFollows = true;
    }

    private void readMatch() {
        distance = nextBlockByte() | nextBlockByte() << 8;
        matchLeft = lengthFrom(token & MORE) + MIN_MATCH;
        if (distance == 0 || distance > writeIndex - floor) {
            throw CodecException.corrupt("an LZ4 match refers to bytes before the output");
        }
        claim(matchLeft);
        matchFollows = false;
    }

    private int lengthFrom(int nibble) {
        int length = nibble;
        if (nibble == MORE) {
            int more;
            do {
                more = nextBlockByte();
                length += more;
            } while (more == 255 && length <= blockMaxBytes);
        }
        return length;
    }

    private void claim(int bytes) {
        blockLeft -= bytes;
        if (blockLeft < 0) {
            throw CodecException.corrupt("an LZ4 block is longer than its frame allows");
        }
    }

    private void copyLiterals() {
        int wanted = Math.min(literalsLeft, HISTORY_BYTES - writeIndex);
        int moved = Math.min(wanted, inputEnd - inputIndex);
        if (moved > 0) {
            copy(input, inputIndex, moved);
            inputIndex += moved;
        } else {
            moved = nextBytes(history, writeIndex, wanted);
            writeIndex += moved;
        }
        literalsLeft -= moved;
    }

    /** A match may overlap with its output. Then each round can copy twice as many bytes. */
    private void copyMatch() {
        int from = writeIndex - distance;
        int left = Math.min(matchLeft, HISTORY_BYTES - writeIndex);
        matchLeft -= left;
        while (left > 0) {
            int step = left <= SHORT_COPY_BYTES ? left : Math.min(left, writeIndex - from);
            copy(history, from, step);
            left -= step;
        }
    }

    /** Copies short ranges byte by byte, so that they may overlap. */
    private void copy(byte[] bytes, int from, int length) {
        if (length <= SHORT_COPY_BYTES) {
            for (int i = 0; i < length; i++) {
                history[writeIndex + i] = bytes[from + i];
            }
        } else {
            System.arraycopy(bytes, from, history, writeIndex, length);
        }
        writeIndex += length;
    }

    private int blockBytesLeft() {
        return blockEnd - sourceIndex + inputEnd - inputIndex;
    }

    private int nextBlockByte() {
        if (inputIndex == inputEnd) {
            loadInput();
        }
        return input[inputIndex++] & 0xff;
    }

    private void loadInput() {
        if (sourceIndex == blockEnd) {
            throw CodecException.corrupt("an LZ4 block ends too early");
        }
        inputIndex = 0;
        inputEnd = nextBytes(input, 0, Math.min(INPUT_BYTES, blockEnd - sourceIndex));
    }

    private int hash(int index, int length) {
        partHash.reset();
        for (int done = 0; done < length; ) {
            int step = Math.min(length - done, INPUT_BYTES);
            source.getBytes(index + done, input, 0, step);
            partHash.update(input, 0, step);
            done += step;
        }
        return partHash.getValue();
    }

    private static StreamingXXHash32 newHash() {
        return XXHashFactory.fastestJavaInstance().newStreamingHash32(0);
    }

    private boolean has(int flag) {
        return (flags & flag) != 0;
    }
}
