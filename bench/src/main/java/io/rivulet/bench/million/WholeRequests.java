package io.rivulet.bench.million;

import io.netty.buffer.ByteBuf;
import io.rivulet.bench.lab.BrokerFailedException;
import io.rivulet.bench.lab.RunningBroker;
import io.rivulet.bench.lab.Wire;
import io.rivulet.bench.load.Latency;
import io.rivulet.bench.load.Meter;
import io.rivulet.bench.load.PacedProducer;
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
 * Requests about all queues at once: the duration of each, the memory of the broker, and the latencies of a producer
 * with 100 requests a second. Owned by: the command's thread.
 */
final class WholeRequests {
    private static final int REQUESTS_PER_SECOND = 100;
    private static final int WARM_UP_SECONDS = 8;
    private static final int ALONE_SECONDS = 10;

    private final RunningBroker broker;
    private final WholeMessages messages;
    private final int queues;
    private final GoalTable figures;

    WholeRequests(RunningBroker broker, Layout layout, int queues, GoalTable figures) {
        this.broker = broker;
        this.messages = new WholeMessages(layout, queues);
        this.queues = queues;
        this.figures = figures;
    }

    /** Counts the queues or topics without an error in a response. */
    @FunctionalInterface
    private interface Counter {
        long count(Message response);
    }

    void run() throws IOException, BrokerFailedException {
        try (PacedProducer producer = new PacedProducer(broker, REQUESTS_PER_SECOND, WARM_UP_SECONDS);
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
        Meter meter = begin(producer);
        byte[] response = wire.exchange(frame);
        report(key.apiName() + " of all", meter, producer);
        require(key, counter.count(Wire.decode(key, version, response)), wanted);
    }

    private Meter begin(PacedProducer producer) throws IOException {
        broker.resetPeakResident();
        producer.forget();
        return new Meter(broker);
    }

    private static void require(ApiKey key, long count, int wanted) throws BrokerFailedException {
        if (count < wanted) {
            throw new BrokerFailedException(key.apiName() + " describes " + count + " instead of " + wanted);
        }
    }

    /** Requests one page after the other. */
    private void describePages(Wire wire, PacedProducer producer) throws IOException, BrokerFailedException {
        ApiKey key = ApiKey.DESCRIBE_TOPIC_PARTITIONS;
        short version = WholeMessages.version(key);
        Meter meter = begin(producer);
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
        report(key.apiName() + " of all, in " + pages + " pages", meter, producer);
        require(key, count, queues);
    }

    /** Waits a second more, so that the responses to the producer have arrived. */
    private void report(String what, Meter meter, PacedProducer producer) throws IOException, BrokerFailedException {
        figures.plain(what, "s", meter.seconds());
        producer.watch(1);
        figures.plain("  broker CPU meanwhile", "s", meter.cpuSeconds());
        figures.plain("  RSS at its highest", "MB", broker.peakResidentMegabytes());
        report("  the producer beside it", producer.latency());
    }

    private void report(String what, Latency latency) {
        figures.plain(what + ", p99", "ms", latency.p99());
        figures.plain(what + ", longest", "ms", latency.longest());
    }

    // ---- counters ----

    private static long created(Message response) {
        return ((CreateTopicsResponse) response)
                .topics().stream().filter(topic -> topic.errorCode() == 0).count();
    }

    private static long described(Message response) {
        return ((MetadataResponse) response)
                .topics().stream()
                        .filter(topic -> topic.errorCode() == 0)
                        .mapToLong(topic -> topic.partitions().size())
                        .sum();
    }

    private static long listed(Message response) {
        return ((ListOffsetsResponse) response)
                .topics().stream()
                        .flatMap(topic -> topic.partitions().stream())
                        .filter(partition -> partition.errorCode() == 0 && partition.offset() == 0)
                        .count();
    }

    private static long committed(Message response) {
        return ((OffsetCommitResponse) response)
                .topics().stream()
                        .flatMap(topic -> topic.partitions().stream())
                        .filter(partition -> partition.errorCode() == 0)
                        .count();
    }

    private static long fetched(Message response) {
        return ((OffsetFetchResponse) response)
                .groups().stream()
                        .flatMap(group -> group.topics().stream())
                        .flatMap(topic -> topic.partitions().stream())
                        .filter(partition ->
                                partition.errorCode() == 0 && partition.committedOffset() == WholeMessages.OFFSET)
                        .count();
    }

    private static long deleted(Message response) {
        return ((DeleteTopicsResponse) response)
                .responses().stream().filter(topic -> topic.errorCode() == 0).count();
    }
}
