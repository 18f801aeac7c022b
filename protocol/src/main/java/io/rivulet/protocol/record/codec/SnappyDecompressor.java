package io.rivulet.protocol.record.codec;

import io.rivulet.protocol.record.codec.CodecException.Kind;
import java.io.IOException;
import org.xerial.snappy.Snappy;
import org.xerial.snappy.SnappyError;

/**
 * Snappy, in the framing of snappy-java or as one raw block: Java and C clients frame, some others do not.
 *
 * <pre>
 *   framed: 82 'S' 'N' 'A' 'P' 'P' 'Y' 00 | version int32 | compatible version int32 | blocks...
 *   block:  length int32 | snappy block, which starts with its decompressed length
 * </pre>
 *
 * Numbers are big-endian. A new frame may start wherever a block may; the magic would be too large a length.
 *
 * <p>Memory: a snappy block has no stream form, so the block and its output are in memory. A block expands at most
 * {@value #MAX_EXPANSION} times; a block that claims more, or more than the caller's limit, is refused before it is
 * decompressed. A raw batch of n bytes costs at most 23 n. Buffers above {@value #KEPT_BYTES} bytes are not kept.
 */
final class SnappyDecompressor extends Decompressor {
    /** A copy of 64 bytes takes at least 3; a block has its length in front. */
    private static final int MAX_EXPANSION = 22;

    private static final int KEPT_BYTES = 64 * 1024;
    private static final long FRAME_MAGIC = 0x82534e4150505900L;
    private static final int FRAME_HEADER_BYTES = 16;
    private static final int COMPATIBLE_VERSION_AT = 12;
    private static final int COMPATIBLE_VERSION = 1;

    private byte[] block = new byte[0];
    private byte[] output = new byte[0];
    private int outputIndex;
    private int outputEnd;
    private boolean framed;

    @Override
    void reset() {
        outputIndex = 0;
        outputEnd = 0;
        if (sourceLeft() == 0) {
            throw CodecException.corrupt("not a snappy block");
        }
        framed = isFrameHeader();
    }

    @Override
    int decompress(byte[] target, int index, int length) {
        while (outputIndex == outputEnd) {
            if (sourceLeft() == 0) {
                return -1;
            }
            nextBlock();
        }
        int moved = Math.min(length, outputEnd - outputIndex);
        System.arraycopy(output, outputIndex, target, index, moved);
        outputIndex += moved;
        return moved;
    }

    @Override
    public void end() {
        super.end();
        if (block.length > KEPT_BYTES) {
            block = new byte[0];
        }
        if (output.length > KEPT_BYTES) {
            output = new byte[0];
        }
    }

    private void nextBlock() {
        if (!framed) {
            uncompress(sourceLeft());
            return;
        }
        while (isFrameHeader()) {
            skipFrameHeader();
        }
        if (sourceLeft() == 0) {
            return;
        }
        need(Integer.BYTES);
        int length = source.getInt(sourceIndex);
        sourceIndex += Integer.BYTES;
        if (length <= 0) {
            throw CodecException.corrupt("a snappy block of " + length + " bytes");
        }
        need(length);
        uncompress(length);
    }

    private boolean isFrameHeader() {
        return sourceLeft() >= Long.BYTES && source.getLong(sourceIndex) == FRAME_MAGIC;
    }

    private void skipFrameHeader() {
        need(FRAME_HEADER_BYTES);
        if (source.getInt(sourceIndex + COMPATIBLE_VERSION_AT) < COMPATIBLE_VERSION) {
            throw CodecException.corrupt("snappy frame of an unknown version");
        }
        sourceIndex += FRAME_HEADER_BYTES;
    }

    private void uncompress(int length) {
        long claimed = claimedLength(length);
        if (claimed > (long) MAX_EXPANSION * length) {
            throw CodecException.corrupt("a snappy block of " + length + " bytes claims to hold " + claimed);
        }
        if (claimed > outputLeft()) {
            throw new CodecException(Kind.OUTPUT_LIMIT, "a snappy block of " + claimed + " bytes is not allowed");
        }
        output = roomFor((int) claimed, output);
        try {
            outputEnd = uncompressFromSource(length);
        } catch (IOException | SnappyError e) {
            throw CodecException.corrupt("snappy: " + e.getMessage());
        }
        outputIndex = 0;
        sourceIndex += length;
    }

    private int uncompressFromSource(int length) throws IOException {
        if (source.hasArray()) {
            return Snappy.uncompress(source.array(), source.arrayOffset() + sourceIndex, length, output, 0);
        }
        block = roomFor(length, block);
        source.getBytes(sourceIndex, block, 0, length);
        return Snappy.uncompress(block, 0, length, output, 0);
    }

    /** The varint at the start of every snappy block. */
    private long claimedLength(int length) {
        long value = 0;
        for (int i = 0; i < Math.min(length, 5); i++) {
            byte group = source.getByte(sourceIndex + i);
            value |= (long) (group & 0x7f) << (7 * i);
            if (group >= 0) {
                return value;
            }
        }
        throw CodecException.corrupt("a snappy block without a length");
    }

    private static byte[] roomFor(int bytes, byte[] buffer) {
        return buffer.length >= bytes ? buffer : new byte[bytes];
    }
}
