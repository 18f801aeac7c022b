package io.rivulet.protocol.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import org.jspecify.annotations.Nullable;

/**
 * Record batches as bytes inside a buffer: never copied, never looked into here. Immutable.
 *
 * <p><b>Who releases.</b> Records borrow. Decoding does not retain the frame, so a decoded message is valid
 * until the frame is released, and who needs its records longer takes a {@link #retainedSlice} and releases
 * that. Records that are to be written must stay valid until the write returns; a gathering write retains
 * what it does not copy, and whoever consumes the gathered buffers releases them.
 */
public final class Records {
    private final ByteBuf buffer;
    private final int index;
    private final int length;

    /** The {@code length} bytes of {@code buffer} from {@code index} (absolute, not from the reader index). */
    public Records(ByteBuf buffer, int index, int length) {
        this.buffer = buffer;
        this.index = index;
        this.length = length;
    }

    /** The readable bytes of {@code buffer}, which may move its indices afterwards. */
    public static Records of(ByteBuf buffer) {
        return new Records(buffer, buffer.readerIndex(), buffer.readableBytes());
    }

    /** The buffer that is borrowed from: usually the whole frame. */
    public ByteBuf buffer() {
        return buffer;
    }

    /** Where the records start in {@link #buffer}. */
    public int index() {
        return index;
    }

    public int sizeInBytes() {
        return length;
    }

    /** A view that does not retain: a new small object at each call. */
    public ByteBuf slice() {
        return buffer.slice(index, length);
    }

    /** A view that keeps the buffer alive until the view is released. */
    public ByteBuf retainedSlice() {
        return buffer.retainedSlice(index, length);
    }

    /** Equal bytes, wherever they lie. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Records that
                && length == that.length
                && ByteBufUtil.equals(buffer, index, that.buffer, that.index, length);
    }

    @Override
    public int hashCode() {
        return ByteBufUtil.hashCode(slice());
    }

    @Override
    public String toString() {
        return "Records(" + length + " bytes)";
    }
}
