package io.rivulet.bench.million;

import io.rivulet.bench.versus.BrokerFailedException;
import io.rivulet.bench.versus.ProcFs;
import io.rivulet.bench.versus.RunningBroker;
import java.io.IOException;
import java.util.stream.IntStream;

/** Reads a fifth of the queues whole, one after the other, from a cold disk, while a producer goes on at a fixed rate. Confined to one thread. */
final class ColdReads {
    private static final int REQUESTS_PER_SECOND = 1_000;
    private static final int MEASURED_SECONDS = 10;
    private static final int SHARE = 5;
    private static final double IOS_PER_MESSAGE = 0.02;
    private static final double SLOWER = 1.2;
    private static final double BYTES_PER_MIB = 1 << 20;

    private final RunningBroker broker;
    private final Figures figures;

    ColdReads(RunningBroker broker, Figures figures) {
        this.broker = broker;
        this.figures = figures;
    }

    /** @param messagesPerQueue what was written to each queue */
    void run(Layout layout, int queues, int messagesPerQueue)
            throws IOException, InterruptedException, BrokerFailedException {
        try (PacedProducer producer = new PacedProducer(broker, REQUESTS_PER_SECOND)) {
            producer.watch(MEASURED_SECONDS);
            double alone = producer.latency().p99Millis();
            if (!ProcFs.dropCaches()) {
                throw new BrokerFailedException("only root may drop the page cache");
            }
            producer.forget();
            read(layout, queues, messagesPerQueue);
            double during = producer.latency().p99Millis();
            figures.plain("produce p99 without the cold reader, 1,000 requests/s", "ms", alone);
            figures.plain("produce p99 with it", "ms", during);
            figures.atMost("ratio of the two", "", during / alone, SLOWER);
        }
    }

    private void read(Layout layout, int queues, int messagesPerQueue) throws IOException, InterruptedException {
        int[] first = IntStream.range(0, queues / SHARE).toArray();
        long reads = ProcFs.diskReads();
        long bytes = broker.diskReadBytes();
        double cpu = broker.cpuSeconds();
        ReadBack.Read read = new ReadBack(broker, layout, messagesPerQueue).run(first);
        double readMib = (broker.diskReadBytes() - bytes) / BYTES_PER_MIB;
        figures.plain("cold read of a fifth of the queues", "messages/s", read.perSecond());
        figures.plain("messages of it", "", (double) read.messages());
        figures.plain(
                "record batches of it",
                "MiB/s",
                read.messages() * new QueueBatch().bytes() / BYTES_PER_MIB / read.seconds());
        figures.plain("from the disk meanwhile", "MiB/s", readMib / read.seconds());
        figures.atMost(
                "I/Os of all disks a message",
                "",
                (ProcFs.diskReads() - reads) / (double) read.messages(),
                IOS_PER_MESSAGE);
        figures.plain(
                "broker CPU a message, the producer's included",
                "us",
                (broker.cpuSeconds() - cpu) * 1e6 / read.messages());
    }
}
