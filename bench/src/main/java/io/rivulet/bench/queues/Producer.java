package io.rivulet.bench.queues;

import io.rivulet.store.AppendRequest;
import io.rivulet.store.AppendRequest.Wait;
import io.rivulet.store.Store;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Appends messages to its share of the queues in turn, with a few requests in flight. A message counts when its request
 * is complete. Owned by: its own thread.
 */
final class Producer implements Runnable {
    /** A request and the buffer of its batches. */
    private record Parcel(AppendRequest request, ByteBuffer buffer) {}

    private final Store store;
    private final StoreLoad load;
    private final int firstQueueId;
    private final int share;
    private final long count;
    private final LongAdder done;
    private final ArrayBlockingQueue<Parcel> free;
    private final AtomicReference<@Nullable String> failure = new AtomicReference<>();

    /** @param share number of this producer: it has the queues whose number modulo the producers is this */
    private Producer(Store store, StoreLoad load, int firstQueueId, int share, long count, LongAdder done) {
        this.store = store;
        this.load = load;
        this.firstQueueId = firstQueueId;
        this.share = share;
        this.count = count;
        this.done = done;
        this.free = new ArrayBlockingQueue<>(load.requestsInFlight());
        for (int i = 0; i < load.requestsInFlight(); i++) {
            free.add(parcel());
        }
    }

    /** Creates the producers of a load, each with a share of the messages. */
    static List<Producer> of(Store store, StoreLoad load, int firstQueueId, long messages, LongAdder done) {
        List<Producer> producers = new ArrayList<>();
        for (int share = 0; share < load.producers(); share++) {
            long count = messages / load.producers() + (share < messages % load.producers() ? 1 : 0);
            producers.add(new Producer(store, load, firstQueueId, share, count, done));
        }
        return producers;
    }

    private Parcel parcel() {
        ByteBuffer buffer = ByteBuffer.allocateDirect(load.requestBytes()).order(ByteOrder.LITTLE_ENDIAN);
        AtomicReference<@Nullable Parcel> self = new AtomicReference<>();
        AppendRequest request = new AppendRequest(buffer, Wait.DURABLE, completed -> {
            Parcel parcel = Objects.requireNonNull(self.get());
            if (!completed.outcome(completed.count() - 1).isStored()) {
                failure.compareAndSet(null, "a request ended with " + completed.outcome(completed.count() - 1));
            }
            done.add(completed.count());
            free.add(parcel);
        });
        Parcel parcel = new Parcel(request, buffer);
        self.set(parcel);
        return parcel;
    }

    @Override
    public void run() {
        try {
            Messages messages = load.messages();
            long put = 0;
            int queue = share;
            long round = 0;
            while (put < count) {
                Parcel parcel = free.take();
                AppendRequest request = parcel.request.reset(parcel.buffer);
                long now = System.currentTimeMillis();
                int at = 0;
                while (put < count
                        && request.count() < load.messagesPerRequest()
                        && at + messages.maxBytes() <= parcel.buffer.capacity()) {
                    int end = messages.put(parcel.buffer, at, queue, round);
                    request.add(firstQueueId + queue, at, end - at, 1, now);
                    at = end;
                    put++;
                    queue += load.producers();
                    if (queue >= load.queues()) {
                        queue = share;
                        round++;
                    }
                }
                offer(request);
            }
            awaitAll();
        } catch (InterruptedException e) {
            throw new IllegalStateException("a producer was interrupted", e);
        }
    }

    private void offer(AppendRequest request) throws InterruptedException {
        while (!store.append(request)) {
            CountDownLatch room = new CountDownLatch(1);
            store.whenRoom(room::countDown);
            room.await();
        }
    }

    private void awaitAll() throws InterruptedException {
        for (int i = 0; i < load.requestsInFlight(); i++) {
            free.take();
        }
        String failed = failure.get();
        if (failed != null) {
            throw new IllegalStateException(failed);
        }
    }
}
