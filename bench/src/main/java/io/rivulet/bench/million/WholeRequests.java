package io.rivulet.bench.million;

import io.netty.buffer.ByteBuf;
import io.rivulet.bench.lab.BrokerFailedException;
import io.rivulet.bench.lab.RunningBroker;
import io.rivulet.bench.lab.Wire;
import io.rivulet.bench.load.Latency;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.CreateTopicsResponse;
import io.rivulet.protocol.message.DeleteTopicsResponse;
import io.rivulet.protocol.message.DescribeTopicPartitionsRequest.Cursor;
import io.rivulet.protocol.message.DescribeTopicPartitionsResponse;
import io.rivulet.protocol.message.ListOffsetsResponse;
import io.rivulet.protocol.message.MetadataResponse;
import io.rivulet.protocol.message.OffsetCommitResponse;
import io.rivulet.protocol.message.OffsetFetchResponse;
import io.rivulet.protocol.wire.Message;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Requests about all queues at once: how long each takes, how much memory the broker needs, and what each costs a
 * producer of 100 requests a second. Confined to one thread.
 */
final class WholeRequests {
    private static final int REQUESTS_PER_SECOND = 100;
    private static final int ALONE_SECONDS = 10;

    private final RunningBroker broker;
    private final WholeMessages messages;
    private final int queues;
    private final Figures figures;

    WholeRequests(RunningBroker broker, Layout layout, int queues, Figures figures) {
        this.broker = broker;
        this.messages = new WholeMessages(layout, queues);
        this.queues = queues;
        this.figures = figures;
    }

    /** Counts the queues or topics that a response describes without an error. */
    @FunctionalInterface
    private interface Counter {
        long count(Message answer);
    }

    void run() throws IOException, BrokerFailedException {
        try (PacedProducer producer = new PacedProducer(broker, REQUESTS_PER_SECOND);
                Wire wire = new Wire(broker.port())) {
            producer.watch(ALONE_SECONDS);
            report("a producer of 100 requests/s alone", producer.latency());
            call(wire, producer, ApiKey.CREATE_TOPICS, messages.create(), WholeRequests::created, messages.topics());
            call(wire, producer, ApiKey.METADATA, messages.metadata(), WholeRequests::described, queues);
            call(wire, producer, ApiKey.LIST_OFFSETS, messages.listOffsets(), WholeRequests::listed, queues);
            call(wire, producer, ApiKey.OFFSET_COMMIT, messages.commit(), WholeRequests::committed, queues);
            call(wire, producer, ApiKey.OFFSET_FETCH, messages.fetchOffsets(), WholeRequests::fetched, queues);
            describePages(wire, producer);
            call(wire, producer, ApiKey.DELETE_TOPICS, messages.delete(), WholeRequests::deleted, messages.topics());
        }
    }

    private void call(Wire wire, PacedProducer producer, ApiKey key, Message request, Counter counter, int wanted)
            throws IOException, BrokerFailedException {
        short version = WholeMessages.version(key);
        ByteBuf frame = Wire.frame(key, version, request);
        broker.resetPeakResident();
        producer.forget();
        double cpu = broker.cpuSeconds();
        long startNanos = System.nanoTime();
        byte[] answer = wire.exchange(frame);
        double seconds = (System.nanoTime() - startNanos) / 1e9;
        report(key.apiName() + " of all", seconds, cpu, producer);
        long count = counter.count(Wire.decode(key, version, answer));
        if (count < wanted) {
            throw new BrokerFailedException(key.apiName() + " describes " + count + " instead of " + wanted);
        }
    }

    /** Page after page, as the API wants it. */
    private void describePages(Wire wire, PacedProducer producer) throws IOException, BrokerFailedException {
        ApiKey key = ApiKey.DESCRIBE_TOPIC_PARTITIONS;
        short version = WholeMessages.version(key);
        broker.resetPeakResident();
        producer.forget();
        double cpu = broker.cpuSeconds();
        long startNanos = System.nanoTime();
        long count = 0;
        int pages = 0;
        @Nullable Cursor from = null;
        do {
            DescribeTopicPartitionsResponse page =
                    (DescribeTopicPartitionsResponse) wire.call(key, version, messages.describe(from));
            count += page.topics().stream()
                    .mapToLong(topic -> topic.partitions().size())
                    .sum();
            pages++;
            DescribeTopicPartitionsResponse.@Nullable Cursor next = page.nextCursor();
            from = next == null
                    ? null
                    : new Cursor().topicName(next.topicName()).partitionIndex(next.partitionIndex());
        } while (from != null);
        double seconds = (System.nanoTime() - startNanos) / 1e9;
        report(key.apiName() + " of all, in " + pages + " pages", seconds, cpu, producer);
        if (count < queues) {
            throw new BrokerFailedException(key.apiName() + " describes " + count + " instead of " + queues);
        }
    }

    /** Waits a second more, so that the requests that the producer sent meanwhile are answered. */
    private void report(String what, double seconds, double cpuBefore, PacedProducer producer)
            throws IOException, BrokerFailedException {
        producer.watch(1);
        figures.plain(what, "s", seconds);
        figures.plain("  broker CPU meanwhile", "s", broker.cpuSeconds() - cpuBefore);
        figures.plain("  RSS at its highest", "MB", broker.peakResidentMegabytes());
        report("  the producer beside it", producer.latency());
    }

    private void report(String what, Latency latency) {
        figures.plain(what + ", p99", "ms", latency.p99());
        figures.plain(what + ", longest", "ms", latency.longest());
    }

    // ---- counters ----

    private static long created(Message answer) {
        return ((CreateTopicsResponse) answer)
                .topics().stream().filter(topic -> topic.errorCode() == 0).count();
    }

    private static long described(Message answer) {
        return ((MetadataResponse) answer)
                .topics().stream()
                        .filter(topic -> topic.errorCode() == 0)
                        .mapToLong(topic -> topic.partitions().size())
                        .sum();
    }

    private static long listed(Message answer) {
        return ((ListOffsetsResponse) answer)
                .topics().stream()
                        .flatMap(topic -> topic.partitions().stream())
                        .filter(partition -> partition.errorCode() == 0 && partition.offset() == 0)
                        .count();
    }

    private static long committed(Message answer) {
        return ((OffsetCommitResponse) answer)
                .topics().stream()
                        .flatMap(topic -> topic.partitions().stream())
                        .filter(partition -> partition.errorCode() == 0)
                        .count();
    }

    private static long fetched(Message answer) {
        return ((OffsetFetchResponse) answer)
                .groups().stream()
                        .flatMap(group -> group.topics().stream())
                        .flatMap(topic -> topic.partitions().stream())
                        .filter(partition ->
                                partition.errorCode() == 0 && partition.committedOffset() == WholeMessages.OFFSET)
                        .count();
    }

    private static long deleted(Message answer) {
        return ((DeleteTopicsResponse) answer)
                .responses().stream().filter(topic -> topic.errorCode() == 0).count();
    }
}
