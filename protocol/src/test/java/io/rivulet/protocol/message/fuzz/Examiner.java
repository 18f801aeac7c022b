package io.rivulet.protocol.message.fuzz;

import com.sun.management.ThreadMXBean;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.rivulet.protocol.wire.MalformedRequestException;
import io.rivulet.protocol.wire.Message;
import io.rivulet.protocol.wire.WireReader;
import java.lang.management.ManagementFactory;
import java.util.List;

/**
 * Decodes a frame and checks the decoder: it throws only {@link MalformedRequestException} with a place, allocates no
 * more heap than the limit, and an accepted message can be written and read again.
 */
final class Examiner {
    /** For smaller frames, most of the heap is the base. */
    private static final int MEASURED_FRAME_BYTES = 4096;

    /** Without leak detection, whose records would count as allocations of the decoder. */
    private static final ByteBufAllocator UNTRACKED = new UnpooledByteBufAllocator(false, true);

    private static final int REWRITTEN_FRAME_BYTES = 8192;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private long accepted;
    private long refused;
    private double greatestMultiple;
    private long greatestAllocation;

    /** The kind of memory of the frame. */
    enum Memory {
        HEAP,
        DIRECT,
        COMPOSITE
    }

    /** Loads the classes that decoding needs, so that their loading does not count as allocations of the decoder. */
    static void warmUp(List<Corpus.Frame> corpus) {
        for (Corpus.Frame frame : corpus) {
            for (Memory memory : Memory.values()) {
                ByteBuf whole = place(frame.bytes(), memory);
                decodeOnce(frame, whole.slice(0, whole.readableBytes() / 2));
                decodeOnce(frame, whole);
                whole.release();
            }
        }
    }

    private static void decodeOnce(Corpus.Frame origin, ByteBuf frame) {
        try {
            origin.decoder().read(frame, origin.version());
        } catch (RuntimeException e) {
            // the examination checks the exception
        }
    }

    void examine(Corpus.Frame origin, byte[] bytes, Memory memory) {
        ByteBuf frame = place(bytes, memory);
        try {
            examine(origin, frame);
        } finally {
            frame.release();
        }
    }

    private static ByteBuf place(byte[] bytes, Memory memory) {
        return switch (memory) {
            case HEAP -> Unpooled.wrappedBuffer(bytes);
            case DIRECT -> UNTRACKED.directBuffer(bytes.length).writeBytes(bytes);
            case COMPOSITE -> {
                int half = bytes.length / 2;
                yield UNTRACKED
                        .compositeHeapBuffer()
                        .addComponent(true, Unpooled.copiedBuffer(bytes, 0, half))
                        .addComponent(true, Unpooled.copiedBuffer(bytes, half, bytes.length - half));
            }
        };
    }

    private void examine(Corpus.Frame origin, ByteBuf frame) {
        int size = frame.readableBytes();
        Object decoded = null;
        RuntimeException fault = null;
        long before = THREADS.getCurrentThreadAllocatedBytes();
        try {
            decoded = origin.decoder().read(frame, origin.version());
        } catch (RuntimeException e) {
            fault = e;
        }
        long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
        measure(size, allocated);
        if (fault == null) {
            accepted++;
            checkAccepted(origin, decoded, size);
        } else {
            refused++;
            checkFault(fault, size);
        }
    }

    private void measure(int size, long allocated) {
        greatestAllocation = Math.max(greatestAllocation, allocated);
        if (size >= MEASURED_FRAME_BYTES) {
            greatestMultiple = Math.max(greatestMultiple, (double) allocated / size);
        }
        long allowed = (long) WireReader.BUDGET_PER_BYTE * size + WireReader.BUDGET_BASE_BYTES;
        if (allocated > allowed) {
            throw new AssertionError(allocated + " bytes allocated, " + allowed + " allowed for " + size);
        }
    }

    private static void checkFault(RuntimeException fault, int size) {
        if (!(fault instanceof MalformedRequestException malformed)) {
            throw new AssertionError("Not a MalformedRequestException", fault);
        }
        if (malformed.where().isEmpty() || malformed.offset() < 0 || malformed.offset() > size) {
            throw new AssertionError("the exception has no place", fault);
        }
    }

    private static void checkAccepted(Corpus.Frame origin, Object decoded, int size) {
        if (size > REWRITTEN_FRAME_BYTES || !(decoded instanceof Message message)) {
            return;
        }
        ByteBuf again = Unpooled.buffer();
        message.write(again, origin.version());
        if (!origin.decoder().read(again, origin.version()).equals(decoded)) {
            throw new AssertionError("accepted, but different when written and read again");
        }
    }

    long accepted() {
        return accepted;
    }

    long refused() {
        return refused;
    }

    /** The greatest number of heap bytes for each byte of a frame, including the base, without small frames. */
    double greatestMultiple() {
        return greatestMultiple;
    }

    long greatestAllocation() {
        return greatestAllocation;
    }
}
