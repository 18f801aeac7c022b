package io.rivulet.bench.queues;

import io.rivulet.store.ReadStatus;
import io.rivulet.store.Store;
import io.rivulet.store.StoreReader;
import java.io.IOException;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.LongAdder;

/** Reads and verifies messages. Owned by: its own thread. */
final class Checker {
    /** Messages that one check reads, as in the contest. */
    private static final int CHECK_MESSAGES = 10;

    private static final int READ_BYTES = 64 << 10;

    private final Store store;
    private final StoreReader reader;
    private final Messages messages;
    private final int firstQueueId;
    private final LongAdder verified;

    private long expected;
    private long wanted;

    Checker(Store store, Messages messages, int firstQueueId, LongAdder verified) {
        this.store = store;
        this.reader = store.reader();
        this.messages = messages;
        this.firstQueueId = firstQueueId;
        this.verified = verified;
    }

    /** Checks random offsets of random queues. A check ends early at the last message of a queue. */
    void checkRandomly(long count, int queues, long seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        for (long i = 0; i < count; i++) {
            int queue = random.nextInt(queues);
            long end = store.endOffset(firstQueueId + queue);
            if (end > 0) {
                expected = random.nextLong(end);
                wanted = Math.min(CHECK_MESSAGES, end - expected);
                read(queue, CHECK_MESSAGES * messages.bytes());
            }
        }
    }

    /** Reads all messages of a queue. */
    void readWhole(int queue) throws IOException {
        expected = 0;
        wanted = store.endOffset(firstQueueId + queue);
        read(queue, READ_BYTES);
    }

    private void read(int queue, int maxBytes) throws IOException {
        while (wanted > 0) {
            ReadStatus status =
                    reader.read(firstQueueId + queue, expected, maxBytes, (base, count, time, bytes, at, length) -> {
                        if (base != expected || count != 1 || !messages.matches(bytes, at, length, queue, base)) {
                            throw new IllegalStateException("queue " + queue + " returned offset " + base
                                    + " or a wrong message where offset " + expected + " was expected");
                        }
                        expected++;
                        wanted--;
                        verified.increment();
                        return wanted > 0;
                    });
            if (status != ReadStatus.BATCHES) {
                throw new IllegalStateException(
                        "reading offset " + expected + " of queue " + queue + " returned " + status);
            }
        }
    }
}
