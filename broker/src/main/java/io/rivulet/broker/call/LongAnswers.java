package io.rivulet.broker.call;

import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import io.rivulet.protocol.wire.Message;
import io.rivulet.protocol.wire.UnknownTag;
import io.rivulet.protocol.wire.WireWriter;
import io.rivulet.store.StoreReader;
import io.rivulet.store.failure.FailureLatch;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Answers that may be as long as the list of topics. A read thread makes and encodes them, with memory from a {@link
 * ResponseMemory}, so many requests for all topics wait for each other. Thread-safe.
 */
public final class LongAnswers {
    private static final String UNMADE = "its answer could not be made";

    /** An answer with at most so many parts is short: it is not worth another thread. */
    public static final int SHORT_PARTS = 1000;

    private final ReadPool readers;
    /** Shared with fetches. */
    private final ResponseMemory memory;
    /** The part of the memory that long answers may take; the rest is for fetches. */
    private final ResponseMemory part;
    /** The heap of the data of answers, until they are encoded. */
    private final ResponseMemory heap;

    private final AtomicBoolean checking = new AtomicBoolean();

    /**
     * @param part the part of the memory that long answers may take
     * @param heapBytes the limit for the data of answers; an answer that needs more is made when no other is being made
     */
    public LongAnswers(ReadPool readers, ResponseMemory memory, ResponseMemory part, long heapBytes) {
        this.readers = readers;
        this.memory = memory;
        this.part = part;
        this.heap = new ResponseMemory(heapBytes, Integer.MAX_VALUE, System::nanoTime);
    }

    /** Makes an answer, on a read thread. */
    @FunctionalInterface
    public interface Maker {
        Message make(StoreReader reader);
    }

    /**
     * Makes and encodes an answer on a read thread, when there is heap for it. The maker must not throw for mistakes of
     * a client.
     *
     * @param heapBytes the heap that the maker takes; 0 if its data is on the heap anyway
     */
    public void make(Call call, long heapBytes, Maker maker) {
        heap.takeAll(heapBytes, () -> makeHere(call, heapBytes, maker));
    }

    private void makeHere(Call call, long heapBytes, Maker maker) {
        if (!call.origin().isOpen()) {
            heap.giveBack(heapBytes);
            call.discard();
            return;
        }
        call.whenEnded(() -> heap.giveBack(heapBytes));
        readers.read(call, reader -> encode(call, maker, reader));
    }

    private void encode(Call call, Maker maker, StoreReader reader) {
        Message message;
        try {
            message = maker.make(reader);
        } catch (RuntimeException e) {
            call.fail(UNMADE, e);
            return;
        }
        encode(call, message, () -> {});
    }

    /** Answers immediately if the message is short; otherwise a read thread encodes it. */
    public void answer(Call call, Message message, long parts) {
        if (parts > SHORT_PARTS) {
            answer(call, message);
        } else {
            call.answer(message);
        }
    }

    /** Runs parts of a long request on read threads. A part's failure is the result of its future; others are bugs. */
    public Executor parts() {
        return part -> readers.read(reader -> part.run(), FailureLatch::uncaught);
    }

    /**
     * Runs a task for a call on a read thread, when the task may read a huge batch: one at a time over all connections,
     * and no response with a huge batch meanwhile. The task must release the batch before it returns.
     */
    public void readHuge(Call call, Consumer<StoreReader> task) {
        var unused = memory.takeHuge(() -> {
            if (!readers.read(reader -> readHuge(call, reader, task), call::fail)) {
                memory.giveBackHuge();
                call.discard();
            }
        });
        checkOverdue(call.origin().eventLoop());
    }

    private void readHuge(Call call, StoreReader reader, Consumer<StoreReader> task) {
        try {
            if (call.origin().isOpen()) {
                task.accept(reader);
            } else {
                call.discard();
            }
        } finally {
            memory.giveBackHuge();
        }
    }

    /** Encodes the message on a read thread. Its lists may be lazy. */
    public void answer(Call call, Message message) {
        answer(call, message, () -> {});
    }

    /** @param written runs once, on any thread, when the answer is written or discarded */
    public void answer(Call call, Message message, Runnable written) {
        if (!readers.read(reader -> encode(call, message, written), call::fail)) {
            written.run();
        }
    }

    private void encode(Call call, Message message, Runnable written) {
        if (!call.origin().isOpen()) {
            written.run();
            call.discard();
            return;
        }
        try {
            int size = message.sizeInBytes(call.version());
            Thread here = Thread.currentThread();
            takeMemory(call, size, () -> {
                if (Thread.currentThread() == here) {
                    write(call, message, size, written);
                } else if (!readers.read(reader -> write(call, message, size, written), call::fail)) {
                    giveBack(size);
                    written.run();
                }
            });
        } catch (RuntimeException e) {
            written.run();
            call.fail(UNMADE, e);
        }
    }

    /** @param taken runs when the memory is taken: immediately, or later on any thread */
    private void takeMemory(Call call, int size, Runnable taken) {
        if (!part.takeAll(size, () -> takeOfAll(call, size, taken))) {
            checkOverdue(call.origin().eventLoop());
        }
    }

    private void takeOfAll(Call call, int size, Runnable taken) {
        if (!memory.takeAll(ofAll(size), taken)) {
            checkOverdue(call.origin().eventLoop());
        }
    }

    /** The bytes to take of all memory: an answer that is larger than the part must leave the rest to fetches, too. */
    private long ofAll(int size) {
        return Math.min(size, part.maxBytes());
    }

    private void giveBack(int size) {
        memory.giveBack(ofAll(size));
        part.giveBack(size);
    }

    private void write(Call call, Message message, int size, Runnable written) {
        if (!call.origin().isOpen()) {
            giveBack(size);
            written.run();
            call.discard();
            return;
        }
        call.settle(message);
        ByteBuf bytes = call.origin().allocator().directBuffer(size);
        try {
            message.write(bytes, call.version());
        } catch (RuntimeException e) {
            bytes.release();
            giveBack(size);
            written.run();
            call.fail(UNMADE, e);
            return;
        }
        ResponseMemory.Answer ofAll = memory.send(ofAll(size), ofAll(size), call::giveUp);
        ResponseMemory.Answer ofPart = part.send(size, size, call::giveUp);
        call.answer(new Encoded(bytes), List.of(bytes), () -> {
            memory.written(ofAll);
            part.written(ofPart);
            written.run();
        });
    }

    /** Closes overdue connections once a second while an answer waits for memory. */
    private void checkOverdue(EventLoop loop) {
        if (!loop.isShuttingDown() && checking.compareAndSet(false, true)) {
            var unused = loop.schedule(
                    () -> {
                        checking.set(false);
                        boolean forAll = memory.closeOverdue();
                        boolean forPart = part.closeOverdue();
                        if (forAll || forPart) {
                            checkOverdue(loop);
                        }
                    },
                    1,
                    TimeUnit.SECONDS);
        }
    }

    /** A message that is already encoded in the version of its call. */
    public record Encoded(ByteBuf bytes) implements Message {
        @Override
        public int sizeInBytes(short version) {
            return bytes.readableBytes();
        }

        @Override
        public void write(WireWriter out, short version) {
            throw new IllegalStateException("the message is already encoded");
        }

        @Override
        public int gatheredBytes() {
            return bytes.readableBytes();
        }

        @Override
        public List<UnknownTag> unknownTags() {
            return List.of();
        }
    }
}
