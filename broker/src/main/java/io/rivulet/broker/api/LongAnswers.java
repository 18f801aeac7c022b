package io.rivulet.broker.api;

import io.netty.buffer.ByteBuf;
import io.rivulet.broker.fetch.ReadPool;
import io.rivulet.broker.fetch.ResponseMemory;
import io.rivulet.protocol.wire.Message;
import io.rivulet.protocol.wire.UnknownTag;
import io.rivulet.protocol.wire.WireWriter;
import io.rivulet.store.failure.FailureLatch;
import java.util.List;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers that may be as long as there are topics: made and encoded on a read thread, with memory taken from {@link ResponseMemory},
 * so that many who ask for everything wait for each other. Thread-safe.
 */
public final class LongAnswers {
    private static final Logger LOG = LoggerFactory.getLogger(LongAnswers.class);

    /** Fewer parts than this are no work for another thread. */
    static final int SHORT_PARTS = 1000;

    private final ReadPool readers;
    private final ResponseMemory memory;

    public LongAnswers(ReadPool readers, ResponseMemory memory) {
        this.readers = readers;
        this.memory = memory;
    }

    /** Answers right away, or as below when the message has that many parts. */
    void answer(Call call, Message message, long parts) {
        if (parts > SHORT_PARTS) {
            answer(call, message);
        } else {
            call.answer(message);
        }
    }

    /** Runs one of the parts of a long request on a read thread. */
    Executor parts() {
        return part -> readers.read(reader -> part.run(), LongAnswers::partFailed);
    }

    /** A part's failure is the result of its future; one that gets here is a bug. */
    private static void partFailed(RuntimeException e) {
        FailureLatch.uncaught(e);
    }

    /** Encodes the message on a read thread; its lists may be made while they are walked over. */
    void answer(Call call, Message message) {
        answer(call, message, () -> {});
    }

    /** @param gone runs once the answer has been written, or never will be; on any thread */
    void answer(Call call, Message message, Runnable gone) {
        if (!readers.read(reader -> encode(call, message, gone), call::failed)) {
            gone.run();
        }
    }

    private void encode(Call call, Message message, Runnable gone) {
        try {
            int size = message.sizeInBytes(call.version());
            if (!memory.takeAll(size)) {
                memory.whenFree(size, () -> answer(call, message, gone));
                return;
            }
            ByteBuf bytes = written(call, message, size);
            ResponseMemory.Answer sent = memory.send(size, size, call::giveUp);
            call.answer(new Encoded(bytes), List.of(bytes), () -> {
                memory.gone(sent);
                gone.run();
            });
        } catch (RuntimeException e) {
            LOG.error("A long answer could not be made", e);
            gone.run();
            call.origin().close("its answer could not be made");
            call.answerNothing();
        }
    }

    private ByteBuf written(Call call, Message message, int size) {
        ByteBuf bytes = call.origin().allocator().directBuffer(size);
        try {
            message.write(bytes, call.version());
            return bytes;
        } catch (RuntimeException e) {
            bytes.release();
            memory.giveBack(size);
            throw e;
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
