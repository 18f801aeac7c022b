package io.rivulet.protocol.record.codec;

import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import io.rivulet.protocol.record.codec.CodecException.Kind;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Zstandard, of one or several frames, by the native library's streaming decoder.
 *
 * <pre>
 *   frame:       28 b5 2f fd | descriptor | [window] | [dictionary id] | [content size] | blocks | [checksum]
 *   descriptor:  7..6 size of content size | 5 single segment | 3 reserved | 2 checksum | 1..0 size of dictionary id
 *   window:      7..3 exponent - 10 | 2..0 eighths           skippable frame: 5x 2a 4d 18 | length int32 | bytes
 * </pre>
 *
 * <p>A frame declares a window, and the decoder allocates it. Six hostile bytes may declare gigabytes, and normal Java
 * producers declare 2 MiB (level 3) to 128 MiB (level 22) for ten records, because they do not know the length in
 * advance. But no match reaches back further than the start of the output, and the output has a limit. So this class
 * changes the window byte to what the limit needs, at most {@value #MAX_WINDOW_LOG} bits, 8 MiB. A batch with a match
 * of longer reach is refused.
 *
 * <p>Memory: {@value #CHUNK_BYTES} bytes of heap; outside it about 100 KiB, and the window and 128 KiB, of which the
 * operating system provides only what output has been written to. So a hostile batch costs the smaller of 8 MiB and
 * what the caller allows it to decompress to. A context with more than 2 MiB is not kept. Zstandard expands at most
 * 32,768 times: four bytes for a block of 128 KiB.
 */
final class ZstdDecompressor extends Decompressor {
    static final int MAX_WINDOW_LOG = 23;

    private static final int CHUNK_BYTES = 8192;
    private static final int MIN_WINDOW_LOG = 10;
    private static final int KEPT_WINDOW_BYTES = 2 * 1024 * 1024;

    /** A smaller window would make blocks smaller too. */
    private static final int BLOCK_LOG = 17;

    private static final int MAGIC = 0xfd2fb528;
    private static final int SKIPPABLE_MAGIC = 0x184d2a50;
    private static final int SKIPPABLE_MASK = 0xfffffff0;
    private static final int DESCRIPTOR_AT = 4;
    private static final int WINDOW_AT = 5;
    private static final int SINGLE_SEGMENT = 0x20;

    private final byte[] chunkBytes = new byte[CHUNK_BYTES];
    private final ByteBuffer chunk = ByteBuffer.wrap(chunkBytes).limit(0);
    private @Nullable ZstdDecompressCtx context;
    private ByteBuffer output = ByteBuffer.allocate(0);
    private long windowBytes;
    private boolean inFrame;
    private boolean narrowed;

    @Override
    void reset() {
        inFrame = false;
        windowBytes = 0;
        chunk.limit(0);
        if (sourceLeft() == 0) {
            throw CodecException.corrupt("not a zstd frame");
        }
    }

    @Override
    int decompress(byte[] target, int index, int length) {
        if (output.array() != target) {
            output = ByteBuffer.wrap(target);
        }
        output.limit(index + length).position(index);
        while (output.position() == index) {
            if (!inFrame && !beginFrame()) {
                return -1;
            }
            step();
        }
        return output.position() - index;
    }

    @Override
    public void end() {
        super.end();
        output = ByteBuffer.allocate(0);
        if (windowBytes > KEPT_WINDOW_BYTES) {
            freeContext();
        }
    }

    @Override
    public void close() {
        super.close();
        freeContext();
    }

    private boolean beginFrame() {
        while (sourceLeft() > 0) {
            need(Integer.BYTES);
            int magic = source.getIntLE(sourceIndex);
            if (magic == MAGIC) {
                openFrame();
                return true;
            }
            if ((magic & SKIPPABLE_MASK) != SKIPPABLE_MAGIC) {
                throw CodecException.corrupt("not a zstd frame");
            }
            sourceIndex += Integer.BYTES;
            long length = Integer.toUnsignedLong(nextIntLE());
            need(length);
            sourceIndex += (int) length;
        }
        return false;
    }

    /** Passes the start of a frame to the decoder, with a window within the limit. */
    private void openFrame() {
        need(WINDOW_AT + 1);
        int descriptor = source.getUnsignedByte(sourceIndex + DESCRIPTOR_AT);
        boolean singleSegment = (descriptor & SINGLE_SEGMENT) != 0;
        int windowByte = source.getUnsignedByte(sourceIndex + WINDOW_AT);
        long contentBytes = declaredContentBytes(descriptor, singleSegment);
        if (contentBytes < 0 || contentBytes > outputLeft()) {
            throw new CodecException(Kind.OUTPUT_LIMIT, "a zstd frame of " + contentBytes + " bytes is not allowed");
        }
        if (singleSegment && contentBytes > 1L << MAX_WINDOW_LOG) {
            throw new CodecException(Kind.UNSUPPORTED, "a zstd frame with a window of " + contentBytes + " bytes");
        }
        nextChunk();
        int enough = windowLogFor(outputLeft());
        narrowed = !singleSegment && windowBytes(windowByte) > 1L << enough;
        if (narrowed) {
            chunkBytes[WINDOW_AT] = (byte) ((enough - MIN_WINDOW_LOG) << 3);
        }
        long window = singleSegment ? contentBytes : narrowed ? 1L << enough : windowBytes(windowByte);
        windowBytes = Math.max(windowBytes, window);
        startContext();
        inFrame = true;
    }

    /** The declared content size, or 0. */
    private long declaredContentBytes(int descriptor, boolean singleSegment) {
        int dictionaryIdBytes = (1 << (descriptor & 3)) >> 1;
        int at = DESCRIPTOR_AT + 1 + (singleSegment ? 0 : 1) + dictionaryIdBytes;
        int sizeCode = descriptor >> 6;
        int sizeBytes = sizeCode == 0 && !singleSegment ? 0 : 1 << sizeCode;
        need((long) at + sizeBytes);
        int index = sourceIndex + at;
        return switch (sizeBytes) {
            case 1 -> source.getUnsignedByte(index);
            case 2 -> source.getUnsignedShortLE(index) + 256;
            case 4 -> source.getUnsignedIntLE(index);
            case 8 -> source.getLongLE(index);
            default -> 0;
        };
    }

    private static long windowBytes(int windowByte) {
        long base = 1L << (MIN_WINDOW_LOG + (windowByte >> 3));
        return base + base / 8 * (windowByte & 7);
    }

    /** The smallest window for {@code bytes} of output, within the cap. */
    private static int windowLogFor(long bytes) {
        int log = Long.SIZE - Long.numberOfLeadingZeros(Math.max(bytes, 1) - 1);
        return Math.max(BLOCK_LOG, Math.min(MAX_WINDOW_LOG, log));
    }

    private void step() {
        if (!chunk.hasRemaining() && sourceLeft() > 0) {
            nextChunk();
        }
        int outputBefore = output.position();
        int inputBefore = chunk.position();
        boolean frameEnded = decode();
        if (frameEnded) {
            sourceIndex -= chunk.remaining();
            chunk.limit(0);
            inFrame = false;
        } else if (output.position() == outputBefore && chunk.position() == inputBefore) {
            throw CodecException.corrupt("a zstd frame ends too early");
        }
    }

    private boolean decode() {
        try {
            return startedContext().decompressByteBufferStream(output, chunk);
        } catch (ZstdException e) {
            if (narrowed) {
                throw new CodecException(
                        Kind.UNSUPPORTED, "zstd: " + e.getMessage() + ", or needs a window above 8 MiB");
            }
            throw CodecException.corrupt("zstd: " + e.getMessage());
        }
    }

    private void nextChunk() {
        chunk.clear();
        chunk.limit(nextBytes(chunkBytes, 0, CHUNK_BYTES));
    }

    private void startContext() {
        ZstdDecompressCtx kept = context;
        if (kept == null) {
            kept = new ZstdDecompressCtx();
            context = kept;
        }
        kept.reset();
        kept.setLongMax(MAX_WINDOW_LOG);
    }

    private ZstdDecompressCtx startedContext() {
        ZstdDecompressCtx started = context;
        if (started == null) {
            throw new IllegalStateException("no frame has begun");
        }
        return started;
    }

    private void freeContext() {
        ZstdDecompressCtx kept = context;
        context = null;
        if (kept != null) {
            kept.close();
        }
    }
}
