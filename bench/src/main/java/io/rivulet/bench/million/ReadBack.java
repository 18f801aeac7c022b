package io.rivulet.bench.million;

import io.rivulet.bench.lab.Await;
import io.rivulet.bench.lab.BrokerFailedException;
import io.rivulet.bench.lab.Threads;
import io.rivulet.bench.lab.Wire;
import io.rivulet.bench.load.Batches;
import io.rivulet.bench.load.FetchLoad;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.FetchRequest;
import io.rivulet.protocol.message.FetchRequest.FetchPartition;
import io.rivulet.protocol.message.FetchRequest.FetchTopic;
import io.rivulet.protocol.message.FetchResponse;
import io.rivulet.protocol.message.FetchResponse.FetchableTopicResponse;
import io.rivulet.protocol.message.FetchResponse.PartitionData;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/** Reads all messages of queues, 500 queues in a request, over two connections, and verifies each. Immutable. */
final class ReadBack {
    private static final int CONNECTIONS = 2;
    private static final int QUEUES_PER_REQUEST = 500;
    private static final int MAX_BYTES = 50 << 20;

    private final int port;
    private final Layout layout;
    private final int messagesPerQueue;
    private final int messagesPerSecond;

    /** @param messagesPerQueue number of messages that were written to each queue */
    ReadBack(int port, Layout layout, int messagesPerQueue) {
        this(port, layout, messagesPerQueue, Integer.MAX_VALUE);
    }

    /** @param messagesPerSecond limit for all connections together */
    ReadBack(int port, Layout layout, int messagesPerQueue, int messagesPerSecond) {
        this.port = port;
        this.layout = layout;
        this.messagesPerQueue = messagesPerQueue;
        this.messagesPerSecond = messagesPerSecond;
    }

    /** The result of a run. */
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
                    messages.add(readWhole(wire, batch, Arrays.copyOfRange(queues, first, to)));
                    Await.nanoTime(startNanos + (long) (messages.sum() * 1e9 / messagesPerSecond));
                }
            }
        });
        return new Read(messages.sum(), (System.nanoTime() - startNanos) / 1e9);
    }

    private long readWhole(Wire wire, QueueBatch batch, int[] queues) throws IOException {
        long[] offsets = new long[queues.length];
        long left = (long) queues.length * messagesPerQueue;
        while (left > 0) {
            FetchResponse response =
                    (FetchResponse) wire.call(ApiKey.FETCH, FetchLoad.VERSION, request(queues, offsets));
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
        int index = Arrays.binarySearch(sorted, queue);
        if (index < 0) {
            throw new IllegalStateException("the response has queue " + queue + ", which was not requested");
        }
        return index;
    }

    /** Verifies the batches. Returns the next offset. */
    private static long take(PartitionData data, QueueBatch batch, int queue, long offset) {
        if (data.errorCode() != 0) {
            throw new IllegalStateException("queue " + queue + " has error " + data.errorCode());
        }
        long[] end = {offset};
        Batches.walk(data.records(), (buffer, at, first, next) -> end[0] = batch.require(buffer, at, queue, end[0]));
        return end[0];
    }

    /** Requests the queues that are not read to the end. */
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
            partitions.add(FetchLoad.partition(layout.partition(queues[i]), offsets[i]));
        }
        return new FetchRequest().maxWaitMs(0).minBytes(1).maxBytes(MAX_BYTES).topics(topics);
    }
}
