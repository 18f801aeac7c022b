package io.rivulet.protocol.record.codec;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.rivulet.protocol.record.codec.CodecException.Kind;

/**
 * Decompresses the records of batches, as a stream. Owned by one thread.
 *
 * <p>Memory: each codec documents its limit, whatever the input claims. Output is counted here and refused at one byte
 * more than the limit; the codec never produces more than that byte.
 *
 * <p>Buffers: {@link #begin} borrows the source until {@link #end}, {@link #begin} or {@link #close}; it changes no
 * index and no reference count. {@link #close} frees the codec's memory outside the heap and may be called twice.
 */
public abstract class Decompressor implements AutoCloseable {
    /** The bytes of the source that are not consumed yet. */
    ByteBuf source = Unpooled.EMPTY_BUFFER;

    int sourceIndex;
    int sourceEnd;

    private long outputLeft;

    Decompressor() {}

    /** Starts with new bytes. */
    public final void begin(ByteBuf source, int index, int length, long maxOutputBytes) {
        this.source = source;
        this.sourceIndex = index;
        this.sourceEnd = index + length;
        this.outputLeft = maxOutputBytes;
        reset();
    }

    /**
     * Reads at least one byte and at most {@code length}.
     *
     * @return the number of bytes, or -1 at the end
     * @throws CodecException if the bytes are refused; the stream must not be read any more
     */
    public final int read(byte[] target, int index, int length) {
        int wanted = (int) (Math.min(length - 1, outputLeft) + 1);
        int read = decompress(target, index, wanted);
        if (read > outputLeft) {
            throw new CodecException(Kind.OUTPUT_LIMIT, "decompresses to more than is allowed");
        }
        outputLeft -= Math.max(read, 0);
        return read;
    }

    /** The bytes that the caller still allows. */
    public final long outputLeft() {
        return outputLeft;
    }

    /** Whether Kafka's consumers can read the bytes that were read so far. */
    public boolean isReadableByKafka() {
        return true;
    }

    /** Releases the source, and buffers that only an unusual batch needed. */
    public void end() {
        source = Unpooled.EMPTY_BUFFER;
        sourceIndex = 0;
        sourceEnd = 0;
    }

    @Override
    public void close() {
        end();
    }

    abstract void reset();

    abstract int decompress(byte[] target, int index, int length);

    final int sourceLeft() {
        return sourceEnd - sourceIndex;
    }

    final int nextByte() {
        need(1);
        return source.getUnsignedByte(sourceIndex++);
    }

    final int nextShortLE() {
        need(Short.BYTES);
        int value = source.getUnsignedShortLE(sourceIndex);
        sourceIndex += Short.BYTES;
        return value;
    }

    final int nextIntLE() {
        need(Integer.BYTES);
        int value = source.getIntLE(sourceIndex);
        sourceIndex += Integer.BYTES;
        return value;
    }

    final void need(long bytes) {
        if (bytes > sourceLeft()) {
            throw CodecException.corrupt("the compressed bytes end too early");
        }
    }

    /** Copies at most {@code length} source bytes. */
    final int nextBytes(byte[] target, int index, int length) {
        int moved = Math.min(length, sourceLeft());
        source.getBytes(sourceIndex, target, index, moved);
        sourceIndex += moved;
        return moved;
    }
}
