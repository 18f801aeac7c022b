package io.rivulet.broker.net;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.rivulet.broker.call.RouteTable;
import io.rivulet.broker.net.RequestMemory.Share;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Splits the bytes of a client into frames: four bytes of length, then the request. A frame that arrives in one read of
 * the socket stays in the buffer of that read. Any other frame gets its own buffer, which grows to at most four times
 * the bytes that have arrived. While the {@link RequestMemory} has no memory for it, the socket is not read. A buffer
 * grows beyond 64 KiB only if its API is served.
 *
 * <p>While the {@link ReadGate} is closed, the bytes of the last read are not decoded. Memory: the frame that is
 * arriving, and one read of the socket. Owned by: the event loop of the connection.
 */
final class FrameDecoder extends ChannelInboundHandlerAdapter {
    /** A longer frame must be of an API that is served. */
    private static final int SMALL_BYTES = 64 << 10;

    private static final int LEAST_BUFFER_BYTES = 1024;
    private static final int GROWTH = 4;
    /** A frame stays in a read buffer of at most this size: a copy would save nothing. */
    private static final int SMALL_READ_BYTES = 8 << 10;

    /**
     * More than reads of a gate that is closed can bring, except those of a native transport: when a client has closed
     * its end, io_uring reads what the kernel still has.
     */
    private static final int MOST_WAITING_BYTES = 256 << 10;

    private static final int SHORTEST_HEADER_BYTES = 8;
    private static final int VERSION_AT = 2;
    private static final int UNKNOWN = -1;
    /** The first bytes of a record of TLS: a handshake, of version 3.x. As a length they are 369 MB. */
    private static final int TLS_HANDSHAKE = 0x1603;

    private final RouteTable routes;
    private final FrameRules rules;
    private final ReadGate gate;

    /** Bytes that were read and are not decoded yet. */
    private ByteBuf input = Unpooled.EMPTY_BUFFER;

    private int lengthSoFar;
    private int lengthBytes;
    /** The length of the frame that is arriving, or {@link #UNKNOWN} between frames. */
    private int frameBytes = UNKNOWN;

    private @Nullable Share share;
    /** The bytes charged to the share. */
    private int charged;
    /** The bytes of the frame that have arrived; null before the first. */
    private @Nullable ByteBuf partial;

    /** The share of input that waits. */
    private @Nullable Share inputShare;
    /** The bytes charged to it. */
    private int inputCharged;

    private boolean decoding;
    private boolean checking;
    private boolean closed;
    private Runnable granted = FrameDecoder::nothing;
    private Runnable giveUp = FrameDecoder::nothing;

    FrameDecoder(RouteTable routes, FrameRules rules, ReadGate gate) {
        this.routes = routes;
        this.rules = rules;
        this.gate = gate;
    }

    private static void nothing() {}

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        granted = () -> later(context, this::granted);
        giveUp = () -> later(context, this::giveUp);
        gate.whenOpened(() -> proceed(context));
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf read = (ByteBuf) message;
        input = input.isReadable() ? join(context, input, read) : read;
        decode(context);
    }

    /** In one piece, because a produce request is stamped and stored through one view of its frame. */
    private static ByteBuf join(ChannelHandlerContext context, ByteBuf first, ByteBuf second) {
        int bytes = first.readableBytes() + second.readableBytes();
        ByteBuf joined =
                context.alloc().directBuffer(bytes, bytes).writeBytes(first).writeBytes(second);
        first.release();
        second.release();
        return joined;
    }

    private void proceed(ChannelHandlerContext context) {
        if (input.isReadable()) {
            try {
                decode(context);
                context.fireChannelReadComplete();
            } catch (RejectedRequestException e) {
                context.fireExceptionCaught(e);
            }
        }
    }

    private void decode(ChannelHandlerContext context) {
        if (decoding) {
            return; // this loop has closed and opened the gate
        }
        decoding = true;
        boolean complete = false;
        try {
            while (input.isReadable() && gate.isOpen() && context.channel().isActive()) {
                step(context);
            }
            complete = true;
        } finally {
            decoding = false;
            if (complete && input.isReadable() && context.channel().isActive()) {
                keepInput(context);
            } else {
                dropInput();
            }
        }
    }

    /** Keeps the input until the gate opens, in no more memory than it needs. */
    private void keepInput(ChannelHandlerContext context) {
        int bytes = input.readableBytes();
        if (!rules.mayWait(bytes)) {
            dropInput();
            context.fireExceptionCaught(new RejectedRequestException("too much at once before the login"));
            return;
        }
        if (bytes > MOST_WAITING_BYTES) {
            dropInput();
            context.fireExceptionCaught(
                    new RejectedRequestException("it has closed its end, and the rest must wait for too long"));
            return;
        }
        if (input.capacity() > SMALL_READ_BYTES && (long) bytes * GROWTH < input.capacity()) {
            ByteBuf copy = context.alloc().directBuffer(bytes, bytes).writeBytes(input);
            input.release();
            input = copy;
        }
        if (inputShare == null) {
            inputShare = rules.memory().share(input.capacity(), granted, giveUp);
            inputShare.takeAnyway(input.capacity());
            inputShare.expect();
            inputCharged = input.capacity();
        } else if (input.capacity() > inputCharged) {
            // One read of an encrypted connection may have several records.
            inputShare.takeAnyway(input.capacity() - inputCharged);
            inputCharged = input.capacity();
        }
    }

    private void dropInput() {
        input.release();
        input = Unpooled.EMPTY_BUFFER;
        if (inputShare != null) {
            inputShare.release();
            inputShare = null;
        }
    }

    private void step(ChannelHandlerContext context) {
        if (frameBytes == UNKNOWN) {
            readLength();
            if (frameBytes == 0) {
                takeWhole(context); // a token; nothing follows that would bring it here
            }
        } else if (partial != null) {
            fill(context, partial);
        } else if (input.readableBytes() >= frameBytes) {
            takeWhole(context);
        } else {
            beginPartial(context);
        }
    }

    private void readLength() {
        if (lengthBytes == 0 && input.readableBytes() >= Integer.BYTES) {
            lengthSoFar = input.readInt();
        } else {
            lengthSoFar = lengthSoFar << Byte.SIZE | input.readUnsignedByte();
            lengthBytes++;
            if (lengthBytes < Integer.BYTES) {
                return;
            }
        }
        if (lengthSoFar < (rules.isToken() ? 0 : SHORTEST_HEADER_BYTES)) {
            throw new RejectedRequestException("a frame of " + lengthSoFar + " bytes is too short for a request");
        }
        if (lengthSoFar > rules.maxBytes()) {
            throw new RejectedRequestException(
                    lengthSoFar >>> Short.SIZE == TLS_HANDSHAKE
                            ? "the client speaks TLS, and this listener is not encrypted"
                            : "a frame of " + lengthSoFar + " bytes: " + rules.maxBytesKey() + " is "
                                    + rules.maxBytes());
        }
        frameBytes = lengthSoFar;
        lengthSoFar = 0;
        lengthBytes = 0;
        charged = 0;
        share = rules.memory().share(frameBytes, granted, giveUp);
    }

    // ---- frames that arrive in one read ----

    /** If the frame had to wait for memory after its first bytes, a part of it is charged already. */
    private void takeWhole(ChannelHandlerContext context) {
        Objects.requireNonNull(share).takeAnyway(frameBytes - charged);
        boolean small = input.capacity() > SMALL_READ_BYTES && (long) frameBytes * GROWTH < input.capacity();
        ByteBuf bytes = small
                ? context.alloc().directBuffer(frameBytes, frameBytes).writeBytes(input, frameBytes)
                : input.readRetainedSlice(frameBytes);
        passOn(context, bytes);
    }

    private void passOn(ChannelHandlerContext context, ByteBuf bytes) {
        Frame frame = new Frame(bytes, Objects.requireNonNull(share));
        share = null;
        partial = null;
        frameBytes = UNKNOWN;
        context.fireChannelRead(frame);
    }

    // ---- other frames ----

    private void beginPartial(ChannelHandlerContext context) {
        int capacity = capacityFor(input.readableBytes());
        if (capacity > SMALL_BYTES) {
            requireServed(input, input.readerIndex());
        }
        if (!charge(context, capacity)) {
            return;
        }
        Objects.requireNonNull(share).expect();
        partial = context.alloc().directBuffer(charged, charged);
    }

    private void fill(ChannelHandlerContext context, ByteBuf buffer) {
        int missing = frameBytes - buffer.writerIndex();
        int more = Math.min(Math.min(missing, input.readableBytes()), buffer.writableBytes());
        buffer.writeBytes(input, more);
        if (more == missing) {
            Objects.requireNonNull(share).arrived();
            passOn(context, buffer);
        } else if (input.isReadable()) {
            grow(context, buffer, (int) Math.min(frameBytes, (long) buffer.writerIndex() + input.readableBytes()));
        }
    }

    private void grow(ChannelHandlerContext context, ByteBuf buffer, int wantedBytes) {
        int capacity = capacityFor(wantedBytes);
        if (capacity > SMALL_BYTES) {
            requireServed(buffer, 0);
        }
        int before = buffer.capacity();
        if (!charge(context, before + capacity)) {
            return;
        }
        ByteBuf larger = context.alloc().directBuffer(capacity, capacity).writeBytes(buffer);
        buffer.release();
        partial = larger;
        charged -= before;
        Objects.requireNonNull(share).giveBack(before);
    }

    private int capacityFor(int bytes) {
        return (int) Math.min(frameBytes, Math.max(LEAST_BUFFER_BYTES, (long) bytes * GROWTH));
    }

    /** A frame that is longer than {@link #SMALL_BYTES} has at least its first bytes here. */
    private void requireServed(ByteBuf bytes, int index) {
        if (!rules.isToken() && routes.find(bytes.getShort(index), bytes.getShort(index + VERSION_AT)) == null) {
            throw new RejectedRequestException("a long request of an API that is not served");
        }
    }

    // ---- memory ----

    /** Charges so many bytes in all. False if they are not free; then the rest of the input waits for them. */
    private boolean charge(ChannelHandlerContext context, int bytes) {
        int more = bytes - charged;
        if (more <= 0) {
            return true;
        }
        charged = bytes;
        if (Objects.requireNonNull(share).take(more)) {
            return true;
        }
        gate.set(ReadGate.MEMORY, false);
        if (!checking) {
            checking = true;
            checkAgain(context);
        }
        return false;
    }

    private void checkAgain(ChannelHandlerContext context) {
        var unused = context.executor()
                .schedule(
                        () -> {
                            checking = gate.isStoppedBy(ReadGate.MEMORY) && !closed;
                            if (checking) {
                                rules.memory().closeOverdue();
                                checkAgain(context);
                            }
                        },
                        1,
                        TimeUnit.SECONDS);
    }

    private static void later(ChannelHandlerContext context, Consumer<ChannelHandlerContext> action) {
        if (!context.executor().isShuttingDown()) {
            context.executor().execute(() -> action.accept(context));
        }
    }

    private void granted(ChannelHandlerContext context) {
        if (!closed) {
            gate.set(ReadGate.MEMORY, true);
        }
    }

    private void giveUp(ChannelHandlerContext context) {
        if (context.channel().isActive()) {
            context.fireExceptionCaught(new RejectedRequestException(
                    "the rest of its request does not arrive, and other clients need the memory"));
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        closed = true;
        dropInput();
        if (partial != null) {
            partial.release();
            partial = null;
        }
        if (share != null) {
            share.release();
            share = null;
        }
        context.fireChannelInactive();
    }
}
