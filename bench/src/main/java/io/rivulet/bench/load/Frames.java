package io.rivulet.bench.load;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.function.IntFunction;

/**
 * Encoded requests, one after the other in one buffer, so that any run of them goes to the socket in one write.
 * Immutable.
 */
public final class Frames {
    /** A later frame may have a few bytes more than the first one. */
    private static final int SLACK_BYTES = 8;

    private final ByteBuffer bytes;
    private final int[] ends;
    private final int messagesPerFrame;
    private final Responses.Check check;

    /** @param frame the request of each number, which is released; none needs many more bytes than the first */
    public Frames(int count, int messagesPerFrame, Responses.Check check, IntFunction<ByteBuf> frame) {
        ByteBuffer all = ByteBuffer.allocate(0);
        ends = new int[count];
        for (int i = 0; i < count; i++) {
            ByteBuf one = frame.apply(i);
            if (i == 0) {
                all = ByteBuffer.allocateDirect(Math.multiplyExact(count, one.readableBytes() + SLACK_BYTES));
            }
            all.put(one.nioBuffer());
            ends[i] = all.position();
            one.release();
        }
        this.bytes = all;
        this.messagesPerFrame = messagesPerFrame;
        this.check = check;
    }

    public int count() {
        return ends.length;
    }

    public int messagesPerFrame() {
        return messagesPerFrame;
    }

    /** Checks the response to any of them. */
    public Responses.Check check() {
        return check;
    }

    /** Reads the responses of one connection. */
    Responses responses() {
        return new Responses(check);
    }

    /** The frames {@code [from, to)}. */
    public ByteBuffer slice(int from, int to) {
        int start = from == 0 ? 0 : ends[from - 1];
        return bytes.slice(start, ends[to - 1] - start);
    }
}
