package org.apache.kafka.clients.producer.internals;

import java.lang.reflect.Field;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.producer.KafkaProducer;

/**
 * Lets the sender thread of a producer stand still once, where a busy machine may let it: it has seen that no batch
 * waits, and has not taken the request that ends the transaction yet. It is in Kafka's package for its superclass.
 *
 * <p>Thread-safe.
 */
public final class SenderStall extends IncompleteBatches implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 120;

    private final AtomicBoolean wanted = new AtomicBoolean();
    private final CountDownLatch stalled = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);

    private SenderStall() {}

    /** For a producer without batches. */
    public static SenderStall of(KafkaProducer<?, ?> producer) throws ReflectiveOperationException {
        Field accumulator = KafkaProducer.class.getDeclaredField("accumulator");
        accumulator.setAccessible(true);
        Field incomplete = RecordAccumulator.class.getDeclaredField("incomplete");
        incomplete.setAccessible(true);
        SenderStall stall = new SenderStall();
        incomplete.set(accumulator.get(producer), stall);
        return stall;
    }

    /** Returns when the sender thread stands still. */
    public void begin(KafkaProducer<?, ?> producer) throws InterruptedException {
        wanted.set(true);
        producer.flush(); // wakes the thread
        await(stalled);
    }

    @Override
    public boolean isEmpty() {
        boolean empty = super.isEmpty();
        if (empty && wanted.compareAndSet(true, false)) {
            stalled.countDown();
            try {
                await(released);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        return empty;
    }

    private static void await(CountDownLatch latch) throws InterruptedException {
        if (!latch.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("the sender thread does not come, or is not released");
        }
    }

    @Override
    public void close() {
        released.countDown();
    }
}
