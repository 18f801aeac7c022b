package io.rivulet.broker.call;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.MetadataRequest;
import io.rivulet.protocol.wire.Message;
import io.rivulet.protocol.wire.UnknownTag;
import io.rivulet.protocol.wire.WireWriter;
import io.rivulet.store.Store;
import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.open.Attachments;
import io.rivulet.store.open.LocalStore;
import io.rivulet.store.open.StoreConfig;
import io.rivulet.store.open.StoreEnvironment;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Unread long answers delay other long answers, but no fetches. */
class LongAnswersTest {
    private static final long MAX_BYTES = 1 << 20;
    private static final long PART_BYTES = MAX_BYTES / 2;

    @TempDir
    private Path directory;

    private final FailureLatch failures = new FailureLatch();
    private final ResponseMemory memory = new ResponseMemory(MAX_BYTES, Integer.MAX_VALUE, System::nanoTime);
    private final ResponseMemory part = new ResponseMemory(PART_BYTES, Integer.MAX_VALUE, System::nanoTime);
    private final ConnectionOfATest connection = new ConnectionOfATest();
    private Store store;
    private ReadPool readers;
    private LongAnswers answers;

    @BeforeEach
    void open() throws Exception {
        store = LocalStore.open(StoreConfig.DEFAULT, StoreEnvironment.local(directory), Attachments.of(List.of()));
        readers = new ReadPool(store, 1, failures);
        answers = new LongAnswers(readers, memory, part, MAX_BYTES);
    }

    @AfterEach
    void close() throws Exception {
        connection.close();
        readers.close();
        store.close();
    }

    @Test
    void anAnswerThatIsLargerThanItsPartLeavesMemoryForFetches() throws Exception {
        answers.answer(call(), new Answer((int) (3 * MAX_BYTES)));
        settle();

        assertThat(connection.answered()).hasSize(1);
        assertThat(memory.usedBytes()).isEqualTo(PART_BYTES);
        assertThat(memory.take(1000)).isEqualTo(1000);

        release();
        assertThat(memory.usedBytes()).isEqualTo(1000);
        assertThat(part.usedBytes()).isZero();
    }

    /** It takes a while to compute the size of a topic with two million partitions, and fetches often free memory. */
    @Test
    void theSizeOfAnAnswerIsComputedOnceWhileItWaitsForMemory() throws Exception {
        answers.answer(call(), new Answer((int) (3 * MAX_BYTES)));
        Answer second = new Answer((int) MAX_BYTES);
        answers.answer(call(), second);
        settle();
        for (int i = 0; i < 10; i++) {
            memory.giveBack(memory.take(1000));
            settle();
        }
        assertThat(connection.answered()).hasSize(1);
        assertThat(second.measured).hasValue(1);

        release();
        settle();
        assertThat(connection.answered()).hasSize(2);
        release();
        assertThat(memory.usedBytes()).isZero();
        assertThat(part.usedBytes()).isZero();
    }

    @Test
    void aHugeBatchIsReadWhenNoOtherIsInMemory() throws Exception {
        AtomicInteger reads = new AtomicInteger();
        memory.takeHuge(() -> {});
        answers.readHuge(call(), reader -> reads.incrementAndGet());
        settle();
        assertThat(reads).hasValue(0);

        memory.giveBackHuge();
        settle();
        assertThat(reads).hasValue(1);
    }

    @Test
    void theMemoryForAHugeBatchIsFreeAfterEachReadAlsoIfItFailsOrTheBrokerCloses() throws Exception {
        AtomicInteger reads = new AtomicInteger();
        answers.readHuge(call(), reader -> reads.incrementAndGet());
        answers.readHuge(call(), reader -> {
            throw new IllegalStateException("planted");
        });
        settle(); // the first read, which starts the second
        settle();
        assertThat(reads).hasValue(1);
        assertThat(connection.closed()).hasSize(1);
        readers.close();
        Call late = call();
        answers.readHuge(late, reader -> reads.incrementAndGet());
        connection.settle();

        assertThat(reads).hasValue(1);
        assertThat(late.hasEnded()).isTrue();
        memory.takeHuge(reads::incrementAndGet);
        assertThat(reads).hasValue(2);
    }

    private Call call() {
        Request request = new Request(
                TestRoutes.of(ApiKey.METADATA),
                (short) 12,
                1,
                "test",
                new MetadataRequest(),
                Unpooled.EMPTY_BUFFER,
                () -> {});
        return new Call(request, connection);
    }

    /** The client reads the last answer. */
    private void release() {
        Call last = connection.answered().get(connection.answered().size() - 1);
        assertThat(last.take()).isNotNull();
        last.buffers().forEach(ByteBuf::release);
        last.written();
    }

    /** Returns when the read thread, and then the event loop, have run all tasks so far. */
    private void settle() throws Exception {
        CountDownLatch done = new CountDownLatch(1);
        assertThat(readers.read(reader -> done.countDown(), failures::fail)).isTrue();
        assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
        connection.settle();
    }

    private static final class Answer implements Message {
        private final int bytes;
        private final AtomicInteger measured = new AtomicInteger();

        Answer(int bytes) {
            this.bytes = bytes;
        }

        @Override
        public int sizeInBytes(short version) {
            measured.incrementAndGet();
            return bytes;
        }

        @Override
        public void write(ByteBuf target, short version) {
            target.writeZero(bytes);
        }

        @Override
        public void write(WireWriter out, short version) {
            throw new IllegalStateException("it is not part of another message");
        }

        @Override
        public List<UnknownTag> unknownTags() {
            return List.of();
        }
    }
}
