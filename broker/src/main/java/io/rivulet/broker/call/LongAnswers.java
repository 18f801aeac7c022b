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

/**
 * Answers that may be as long as the list of topics. They are made and encoded on a read thread, with memory from a {@link
 * ResponseMemory}, so that many requests for everything wait for each other. Thread-safe.
 */
public final class LongAnswers {
    private static final String UNMADE = "its answer could not be made";

    /** Fewer parts than this are no work for another thread. */
    public static final int SHORT_PARTS = 1000;

    private final ReadPool readers;
    /** Shared with fetches. */
    private final ResponseMemory memory;
    /** What long answers may take of it: the rest is left to fetches. */
    private final ResponseMemory part;
    /** Of what answers are made of, until they are encoded. */
    private final ResponseMemory heap;

    private final AtomicBoolean checking = new AtomicBoolean();

    /**
     * @param part so much of the memory long answers may take
     * @param heapBytes for what answers are made of; a larger one is made when no other is
     */
    public LongAnswers(ReadPool readers, ResponseMemory memory, ResponseMemory part, long heapBytes) {
        this.readers = readers;
        this.memory = memory;
        this.part = part;
        this.heap = new ResponseMemory(heapBytes, Integer.MAX_VALUE, System::nanoTime);
    }

    /** What an answer is made from, on a read thread. */
    @FunctionalInterface
    public interface Maker {
        Message make(StoreReader reader);
    }

    /** The same, for what is there anyway until it is encoded. */
    public void make(Call call, Maker maker) {
        make(call, 0, maker);
    }

    /** Makes an answer on a read thread once there is heap for it, and encodes it there. The maker throws nothing that a client causes. */
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
        if (!readers.read(reader -> encode(call, maker, reader), call::fail)) {
            call.discard();
        }
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

    /** Answers right away, or as below when the message has that many parts. */
    public void answer(Call call, Message message, long parts) {
        if (parts > SHORT_PARTS) {
            answer(call, message);
        } else {
            call.answer(message);
        }
    }

    /** Runs one of the parts of a long request on a read thread. */
    public Executor parts() {
        return part -> readers.read(reader -> part.run(), LongAnswers::partFailed);
    }

    /** A part's failure is the result of its future; one that gets here is a bug. */
    private static void partFailed(RuntimeException e) {
        FailureLatch.uncaught(e);
    }

    /** Encodes the message on a read thread; its lists may be made while they are walked over. */
    public void answer(Call call, Message message) {
        answer(call, message, () -> {});
    }

    /** @param written runs once the answer has been written, or never will be; on any thread */
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

    /** @param taken runs on any thread, perhaps at once */
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

    /** An answer that is larger than the part leaves the rest to fetches all the same. */
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

    /** As long as an answer waits for memory: others may be overdue later than now. */
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

    /** A message that has been written already, in the version of its call. Goes to the socket as it is. */
    public record Encoded(ByteBuf bytes) implements Message {
        @Override
        public int sizeInBytes(short version) {
            return bytes.readableBytes();
        }

        @Override
        public void write(WireWriter out, short version) {
            throw new IllegalStateException("it is written");
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
