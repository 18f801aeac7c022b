package io.rivulet.bench.queues;

import io.rivulet.store.Store;
import io.rivulet.store.writer.AppendRequest;
import io.rivulet.store.writer.AppendRequest.Wait;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Puts messages into its share of the queues, one into each in turn, and has a few requests on their way at a time. A message
 * counts when its request is complete.
 *
 * <p>Owned by: its own thread. Memory: its requests.
 */
final class Producer implements Runnable {
    /** A request and the buffer that its batches lie in. */
    private record Parcel(AppendRequest request, ByteBuffer buffer) {}

    private final Store store;
    private final Messages messages;
    private final QueuesOptions options;
    private final int firstQueueId;
    private final int share;
    private final long count;
    private final LongAdder done;
    private final ArrayBlockingQueue<Parcel> free;
    private final AtomicReference<@Nullable String> failure = new AtomicReference<>();

    /** @param share which of the producers this is: its queues are those whose number leaves this rest */
    Producer(Store store, QueuesOptions options, int firstQueueId, int share, long count, LongAdder done) {
        this.store = store;
        this.messages = options.contents();
        this.options = options;
        this.firstQueueId = firstQueueId;
        this.share = share;
        this.count = count;
        this.done = done;
        this.free = new ArrayBlockingQueue<>(options.requestsInFlight());
        for (int i = 0; i < options.requestsInFlight(); i++) {
            free.add(parcel());
        }
    }

    private Parcel parcel() {
        int bytes = options.messagesPerRequest() * Math.max(messages.bytes(), 64)
                + Math.max(messages.bytes(), messages.largeBytes());
        ByteBuffer buffer = ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
        AtomicReference<@Nullable Parcel> self = new AtomicReference<>();
        AppendRequest request = new AppendRequest(buffer, Wait.DURABLE, completed -> {
            Parcel parcel = java.util.Objects.requireNonNull(self.get());
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
            long put = 0;
            int queue = share;
            long round = 0;
            while (put < count) {
                Parcel parcel = free.take();
                AppendRequest request = parcel.request.reset(parcel.buffer);
                long now = System.currentTimeMillis();
                int at = 0;
                while (put < count
                        && request.count() < options.messagesPerRequest()
                        && at + Math.max(messages.bytes(), messages.largeBytes()) <= parcel.buffer.capacity()) {
                    int end = messages.put(parcel.buffer, at, queue, round);
                    request.add(firstQueueId + queue, at, end - at, 1, now);
                    at = end;
                    put++;
                    queue += options.producers();
                    if (queue >= options.queues()) {
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
        for (int i = 0; i < options.requestsInFlight(); i++) {
            free.take();
        }
        String failed = failure.get();
        if (failed != null) {
            throw new IllegalStateException(failed);
        }
    }
}
