package io.rivulet.broker.produce;

/** Is told of queues that have grown. */
@FunctionalInterface
public interface QueueListener {
    /** The queue's new batch, of so many bytes, can be read. Any thread; must not block. */
    void appended(int queueId, int bytes);
}
