package io.rivulet.bench.million;

import io.rivulet.bench.lab.BrokerFailedException;
import io.rivulet.bench.lab.Threads;
import io.rivulet.bench.lab.Wire;
import io.rivulet.bench.load.Batches;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.FetchRequest;
import io.rivulet.protocol.message.FetchRequest.FetchPartition;
import io.rivulet.protocol.message.FetchRequest.FetchTopic;
import io.rivulet.protocol.message.FetchResponse;
import io.rivulet.protocol.message.FetchResponse.FetchableTopicResponse;
import io.rivulet.protocol.message.FetchResponse.PartitionData;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/** Reads queues whole, 500 to a request, over two connections, and verifies each message. Immutable. */
final class ReadBack {
    /** The last that knows topics by name. */
    private static final short VERSION = 12;

    private static final int CONNECTIONS = 2;
    private static final int QUEUES_PER_REQUEST = 500;
    private static final int MAX_BYTES = 50 << 20;
    private static final int MAX_QUEUE_BYTES = 1 << 20;

    private final int port;
    private final Layout layout;
    private final int messagesPerQueue;
    private final int messagesPerSecond;

    /** @param messagesPerQueue what was written to each of them */
    ReadBack(int port, Layout layout, int messagesPerQueue) {
        this(port, layout, messagesPerQueue, Integer.MAX_VALUE);
    }

    /** @param messagesPerSecond no faster than this, over all connections */
    ReadBack(int port, Layout layout, int messagesPerQueue, int messagesPerSecond) {
        this.port = port;
        this.layout = layout;
        this.messagesPerQueue = messagesPerQueue;
        this.messagesPerSecond = messagesPerSecond;
    }

    /** How much was read, and how fast. */
    record Read(long messages, double seconds) {
        double perSecond() {
            return messages / seconds;
        }
    }

    Read run(int[] queues) throws IOException, BrokerFailedException {
        LongAdder messages = new LongAdder();
        long startNanos = System.nanoTime();
        Threads.run(CONNECTIONS, connection -> {
            QueueBatch batch = new QueueBatch();
            try (Wire wire = new Wire(port)) {
                for (int first = connection * QUEUES_PER_REQUEST;
                        first < queues.length;
                        first += CONNECTIONS * QUEUES_PER_REQUEST) {
                    int to = Math.min(queues.length, first + QUEUES_PER_REQUEST);
                    messages.add(readWhole(wire, batch, java.util.Arrays.copyOfRange(queues, first, to)));
                    awaitPace(startNanos, messages.sum());
                }
            }
        });
        return new Read(messages.sum(), (System.nanoTime() - startNanos) / 1e9);
    }

    private void awaitPace(long startNanos, long messages) {
        long dueNanos = startNanos + (long) (messages * 1e9 / messagesPerSecond);
        for (long left = dueNanos - System.nanoTime(); left > 0; left = dueNanos - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    private long readWhole(Wire wire, QueueBatch batch, int[] queues) throws IOException {
        long[] offsets = new long[queues.length];
        long left = (long) queues.length * messagesPerQueue;
        while (left > 0) {
            FetchResponse response = (FetchResponse) wire.call(ApiKey.FETCH, VERSION, request(queues, offsets));
            long before = left;
            for (FetchableTopicResponse topic : response.responses()) {
                for (PartitionData data : topic.partitions()) {
                    int queue = layout.queue(topic.topic(), data.partitionIndex());
                    int index = indexOf(queues, queue);
                    long next = take(data, batch, queue, offsets[index]);
                    left -= next - offsets[index];
                    offsets[index] = next;
                }
            }
            if (left == before) {
                throw new IllegalStateException("messages are missing: " + left + " of "
                        + (long) queues.length * messagesPerQueue + ", the first queue is " + queues[0]);
            }
        }
        return (long) queues.length * messagesPerQueue;
    }

    private static int indexOf(int[] sorted, int queue) {
        int index = java.util.Arrays.binarySearch(sorted, queue);
        if (index < 0) {
            throw new IllegalStateException("an answer for queue " + queue + ", which was not asked for");
        }
        return index;
    }

    /** Verifies the batches, and returns the offset behind the last whole one. */
    private static long take(PartitionData data, QueueBatch batch, int queue, long offset) {
        if (data.errorCode() != 0) {
            throw new IllegalStateException("queue " + queue + " was answered with error " + data.errorCode());
        }
        long[] end = {offset};
        Batches.walk(data.records(), (buffer, at, first, next) -> end[0] = batch.require(buffer, at, queue, end[0]));
        return end[0];
    }

    /** For those that have not been read whole. */
    private FetchRequest request(int[] queues, long[] offsets) {
        List<FetchTopic> topics = new ArrayList<>();
        List<FetchPartition> partitions = new ArrayList<>();
        for (int i = 0; i < queues.length; i++) {
            if (offsets[i] == messagesPerQueue) {
                continue;
            }
            if (topics.isEmpty() || layout == Layout.TOPICS) {
                partitions = new ArrayList<>();
                topics.add(new FetchTopic().topic(layout.topic(queues[i])).partitions(partitions));
            }
            partitions.add(new FetchPartition()
                    .partition(layout.partition(queues[i]))
                    .fetchOffset(offsets[i])
                    .partitionMaxBytes(MAX_QUEUE_BYTES));
        }
        return new FetchRequest().maxWaitMs(0).minBytes(1).maxBytes(MAX_BYTES).topics(topics);
    }
}
