package io.rivulet.store.tail;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.store.memory.Slabs;
import io.rivulet.store.queue.QueueTable;
import io.rivulet.store.stream.StreamCursor;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Writer, sweeper and readers on separate threads, with a tail so small that chunks are reused all the time. */
class TailStressTest {
    private static final int GROUPS = 20_000;
    private static final int QUEUES = 12;
    private static final int SLAB_BYTES = 16 * 1024;

    private final QueueTable table = new QueueTable();
    private final Tail tail = new Tail(table, new Slabs("tail", 4 * SLAB_BYTES, SLAB_BYTES));
    private final Queue<TailReleases> copied = new ConcurrentLinkedQueue<>();
    private final AtomicLong copiedCount = new AtomicLong();
    private final AtomicLong releasedCount = new AtomicLong();
    private final AtomicBoolean stop = new AtomicBoolean();
    private final Throwable none = new Throwable("none");
    private final AtomicReference<Throwable> failure = new AtomicReference<>(none);
    private final AtomicLong batchesRead = new AtomicLong();

    /** The current queue of this part; a deleted queue is replaced by one with a new id. */
    private final AtomicLong[] idOfPart = new AtomicLong[QUEUES];

    @Test
    void everySuccessfulReadReturnsWhatWasWritten() throws InterruptedException {
        for (int i = 0; i < QUEUES; i++) {
            idOfPart[i] = new AtomicLong(i);
        }
        table.createRange(0, QUEUES, 0);
        List<Thread> threads = new ArrayList<>();
        threads.add(start("sweeper", this::sweep));
        threads.add(start("follower", () -> read(1, true)));
        threads.add(start("wanderer", () -> read(2, false)));

        guard(this::write);
        stop.set(true);
        for (Thread thread : threads) {
            thread.join();
        }
        drainReleases();

        assertThat(failure.get()).isSameAs(none);
        assertThat(batchesRead.get()).isPositive();
        assertThat(releasedCount.get()).isPositive();
        TailChecker.check(tail, table);
        for (int id = 0; id < table.idLimit(); id++) {
            tail.drop(id);
        }
        TailChecker.check(tail, table);
        assertThat(tail.usedChunks()).isZero();
    }

    private void write() {
        SplittableRandom random = new SplittableRandom(7);
        TailAppends appends = new TailAppends();
        ByteBuffer group = ByteBuffer.allocateDirect(64 * 1024);
        for (int i = 0; i < GROUPS && failure.get() == none; i++) {
            int chunks = Tail.chunksFor(1024) * 8;
            while (!tail.reserve(chunks) && failure.get() == none) {
                drainReleases();
                Thread.onSpinWait();
            }
            appends.reset(group);
            int at = 0;
            for (int j = random.nextInt(1, 8); j > 0; j--) {
                at = addBatch(random, group, at, appends);
            }
            tail.appendAll(appends);
            tail.unreserve(chunks);
            drainReleases();
            if (random.nextInt(500) == 0) {
                replace(random.nextInt(QUEUES));
            }
        }
    }

    private int addBatch(SplittableRandom random, ByteBuffer group, int at, TailAppends appends) {
        int part = Math.min(random.nextInt(QUEUES), random.nextInt(QUEUES));
        int id = (int) idOfPart[part].get();
        int count = random.nextInt(1, 5);
        int payload = Batches.MIN_PAYLOAD_BYTES + random.nextInt(random.nextInt(8) == 0 ? 900 : 80);
        long base = table.assign(id, count);
        int end = Batches.put(group, at, id, base, count, payload);
        appends.add(id, at, end - at, base + count);
        return end;
    }

    private void replace(int part) {
        int newId = table.idLimit();
        table.createRange(newId, 1, 0);
        int oldId = (int) idOfPart[part].getAndSet(newId);
        tail.drop(oldId);
    }

    private void drainReleases() {
        for (TailReleases copy = copied.poll(); copy != null; copy = copied.poll()) {
            tail.releaseAll(copy, 0, copy.count());
            releasedCount.incrementAndGet();
        }
    }

    private void sweep() {
        TailCursor cursor = new TailCursor();
        StreamCursor records = new StreamCursor();
        ByteBuffer file = ByteBuffer.allocateDirect(8 * 1024);
        int from = 0;
        while (!stop.get() && failure.get() == none) {
            int id = table.dirty().nextSet(from);
            from = id + 1;
            if (id < 0) {
                waitForReleases();
                continue;
            }
            cursor.reset();
            TailReleases notes = new TailReleases();
            if (tail.copyChain(id, file.clear(), Long.MAX_VALUE, cursor, notes) == TailRead.OK) {
                Batches.requireSound(file, 0, file.position(), id, cursor.startOffset(), cursor.endOffset(), records);
                notes.add(id, cursor.startOffset(), cursor);
                copied.add(notes);
                copiedCount.incrementAndGet();
            }
        }
    }

    /** A queue is copied again only after its release was processed: once in each round. */
    private void waitForReleases() {
        while (!stop.get() && failure.get() == none && releasedCount.get() < copiedCount.get()) {
            Thread.onSpinWait();
        }
    }

    private void read(long seed, boolean follow) {
        SplittableRandom random = new SplittableRandom(seed);
        TailCursor[] cursors = new TailCursor[QUEUES];
        long[] offsets = new long[QUEUES];
        long[] ids = new long[QUEUES];
        for (int i = 0; i < QUEUES; i++) {
            cursors[i] = new TailCursor();
        }
        StreamCursor records = new StreamCursor();
        ByteBuffer dst = ByteBuffer.allocateDirect(16 * 1024);
        while (!stop.get() && failure.get() == none) {
            int part = random.nextInt(QUEUES);
            long id = idOfPart[part].get();
            if (id != ids[part]) {
                ids[part] = id;
                offsets[part] = 0;
            }
            long tailStart = table.tailStart((int) id);
            long wanted = follow ? Math.max(offsets[part], tailStart) : tailStart + random.nextInt(64);
            offsets[part] = readOnce((int) id, wanted, dst.clear(), cursors[follow ? part : 0], records);
        }
    }

    private long readOnce(int id, long from, ByteBuffer dst, TailCursor cursor, StreamCursor records) {
        if (tail.read(id, from, 4096, dst, cursor) != TailRead.OK) {
            return from;
        }
        assertThat(from).isBetween(cursor.startOffset(), cursor.endOffset() - 1);
        Batches.requireSound(dst, 0, dst.position(), id, cursor.startOffset(), cursor.endOffset(), records);
        batchesRead.addAndGet(cursor.batches());
        return cursor.endOffset();
    }

    private Thread start(String name, Runnable body) {
        Thread thread = new Thread(() -> guard(body), name);
        thread.start();
        return thread;
    }

    private void guard(Runnable body) {
        try {
            body.run();
        } catch (RuntimeException | Error e) {
            failure.compareAndSet(none, e);
        }
    }
}
