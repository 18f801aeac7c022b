package io.rivulet.protocol.record.codec;

import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Gzip, with one or several members. Bytes after the last member are ignored, as in Kafka.
 *
 * <p>It reads the member's frame itself instead of {@code GZIPInputStream}, which can't be reused and leaves its
 * inflater to the garbage collector if the header is invalid.
 *
 * <p>Memory: {@value #CHUNK_BYTES} bytes of input, and outside the heap zlib's window of 32 KiB and some 10 KiB of
 * state. Deflate expands at most 1,032 times.
 */
final class GzipDecompressor extends Decompressor {
    private static final int CHUNK_BYTES = 4096;

    private static final int MAGIC = 0x8b1f;
    private static final int DEFLATE = 8;
    private static final int HEADER_CRC = 0x02;
    private static final int EXTRA = 0x04;
    private static final int NAME = 0x08;
    private static final int COMMENT = 0x10;
    private static final int RESERVED = 0xe0;

    private final Inflater inflater = new Inflater(true);
    private final CRC32 crc = new CRC32();
    private final byte[] chunk = new byte[CHUNK_BYTES];
    private boolean inMember;
    private boolean afterMember;

    @Override
    void reset() {
        inMember = false;
        afterMember = false;
    }

    @Override
    int decompress(byte[] target, int index, int length) {
        while (true) {
            if (!inMember && !beginMember()) {
                return -1;
            }
            int inflated = inflate(target, index, length);
            crc.update(target, index, inflated);
            if (inflater.finished()) {
                endMember();
            }
            if (inflated > 0) {
                return inflated;
            }
        }
    }

    @Override
    public void close() {
        super.close();
        inflater.end();
    }

    private boolean beginMember() {
        if (afterMember && (sourceLeft() < Short.BYTES || source.getUnsignedShortLE(sourceIndex) != MAGIC)) {
            return false;
        }
        readHeader();
        inflater.reset();
        crc.reset();
        inMember = true;
        return true;
    }

    private void readHeader() {
        int start = sourceIndex;
        if (nextShortLE() != MAGIC || nextByte() != DEFLATE) {
            throw CodecException.corrupt("not gzip");
        }
        int flags = nextByte();
        if ((flags & RESERVED) != 0) {
            throw CodecException.corrupt("gzip flags " + flags);
        }
        skip(Integer.BYTES + 2); // modification time, extra flags, operating system
        if ((flags & EXTRA) != 0) {
            skip(nextShortLE());
        }
        if ((flags & NAME) != 0) {
            skipText();
        }
        if ((flags & COMMENT) != 0) {
            skipText();
        }
        if ((flags & HEADER_CRC) != 0) {
            checkHeaderCrc(start);
        }
    }

    private void checkHeaderCrc(int start) {
        crc.reset();
        for (int i = start; i < sourceIndex; i++) {
            crc.update(source.getByte(i));
        }
        if (nextShortLE() != (crc.getValue() & 0xffff)) {
            throw CodecException.corrupt("gzip header does not match its CRC");
        }
    }

    private int inflate(byte[] target, int index, int length) {
        try {
            int inflated = inflater.inflate(target, index, length);
            while (inflated == 0 && inflater.needsInput()) {
                need(1);
                inflater.setInput(chunk, 0, nextBytes(chunk, 0, chunk.length));
                inflated = inflater.inflate(target, index, length);
            }
            if (inflater.needsDictionary()) {
                throw CodecException.corrupt("gzip with a dictionary");
            }
            return inflated;
        } catch (DataFormatException e) {
            throw CodecException.corrupt("gzip: " + e.getMessage());
        }
    }

    private void endMember() {
        sourceIndex -= inflater.getRemaining();
        if (nextIntLE() != (int) crc.getValue() || nextIntLE() != (int) inflater.getBytesWritten()) {
            throw CodecException.corrupt("gzip member does not match its CRC and length");
        }
        inMember = false;
        afterMember = true;
    }

    private void skip(int bytes) {
        need(bytes);
        sourceIndex += bytes;
    }

    private void skipText() {
        while (nextByte() != 0) {
            // up to and with the terminating zero
        }
    }
}
