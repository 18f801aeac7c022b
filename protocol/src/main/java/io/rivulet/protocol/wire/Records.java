package io.rivulet.protocol.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import org.jspecify.annotations.Nullable;

/**
 * Record batches as bytes in a buffer: not copied and not parsed. Immutable.
 *
 * <p><b>Ownership.</b> Records borrow. Decoding does not retain the frame, so a decoded message is valid until the
 * frame is released. A caller that needs its records longer takes a {@link #retainedSlice} and releases it. Records to
 * be written must stay valid until the write returns. A gathering write retains the records that it does not copy, and
 * the consumer of the gathered buffers releases them.
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

    /** The readable bytes of {@code buffer}, whose indices may change afterwards. */
    public static Records of(ByteBuf buffer) {
        return new Records(buffer, buffer.readerIndex(), buffer.readableBytes());
    }

    /** The borrowed buffer, usually the whole frame. */
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

    /** Compares the bytes. */
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
