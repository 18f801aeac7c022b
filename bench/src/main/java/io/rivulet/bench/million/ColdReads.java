package io.rivulet.bench.million;

import io.rivulet.bench.lab.BrokerFailedException;
import io.rivulet.bench.lab.Machine;
import io.rivulet.bench.lab.ProcFs;
import io.rivulet.bench.lab.RunningBroker;
import io.rivulet.bench.load.Meter;
import io.rivulet.bench.load.PacedProducer;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Reads a fifth of the queues from a cold disk, each queue as a whole, beside a producer with a fixed rate. Owned by:
 * the command's thread.
 */
final class ColdReads {
    private static final int REQUESTS_PER_SECOND = 1_000;
    private static final int WARM_UP_SECONDS = 8;
    private static final int MEASURED_SECONDS = 10;
    private static final int SHARE = 5;
    /** Share of the queues that are read first, until most code is compiled. */
    private static final int WARM_UP_SHARE = 5;

    private static final int UNLIMITED = Integer.MAX_VALUE;
    private static final double IOS_PER_MESSAGE = 0.02;
    private static final double SLOWER = 1.2;

    /** For readers that leave the cores idle time. */
    private static final int PACED_MESSAGES_PER_SECOND = 50_000;

    private static final int PACED_SECONDS = 10;

    private final RunningBroker broker;
    private final @Nullable RunningBroker elsewhere;
    private final Layout layout;
    private final int queues;
    private final int messagesPerQueue;
    private final GoalTable figures;

    /**
     * @param elsewhere a second broker with the same data, or null. It shows what readers cost a producer that shares
     * only cores and disk with them, not the broker.
     */
    ColdReads(
            RunningBroker broker,
            @Nullable RunningBroker elsewhere,
            Layout layout,
            int queues,
            int messagesPerQueue,
            GoalTable figures) {
        this.broker = broker;
        this.elsewhere = elsewhere;
        this.layout = layout;
        this.queues = queues;
        this.messagesPerQueue = messagesPerQueue;
        this.figures = figures;
    }

    /**
     * Measures the producer alone, then with a reader that reads as fast as it can (cold, then warm), then with a cold
     * reader at a fixed pace.
     */
    void run() throws IOException, BrokerFailedException {
        try (PacedProducer producer = new PacedProducer(broker, REQUESTS_PER_SECOND, WARM_UP_SECONDS);
                ReadProcess reader = new ReadProcess(broker.port(), layout, messagesPerQueue)) {
            int warmUpFrom = queues - queues / WARM_UP_SHARE;
            int share = queues / SHARE;
            read(reader, "the first reads of both processes, of other queues", warmUpFrom, queues, UNLIMITED);
            double before =
                    p99Millis(producer, "without a reader, 1,000 requests/s", () -> producer.watch(MEASURED_SECONDS));
            dropCaches();
            double cold = p99Millis(producer, "with the cold reader", () -> readWhole(reader));
            figures.atMost("  ratio of the two", "", cold / before, SLOWER);
            double warm = p99Millis(
                    producer,
                    "with a reader of the same, now in the page cache",
                    () -> read(reader, "warm read of them", 0, share, UNLIMITED));
            figures.plain("  ratio", "", warm / before);
            dropCaches();
            double paced = p99Millis(
                    producer,
                    "with a cold reader of %,d messages/s".formatted(PACED_MESSAGES_PER_SECOND),
                    () -> read(
                            reader,
                            "paced cold read of others",
                            share,
                            share + pacedQueues(),
                            PACED_MESSAGES_PER_SECOND));
            figures.atMost("  ratio", "", paced / before, SLOWER);
            if (elsewhere != null) {
                readElsewhere(producer, elsewhere, before);
            }
        }
    }

    private void readElsewhere(PacedProducer producer, RunningBroker other, double before)
            throws IOException, BrokerFailedException {
        try (ReadProcess reader = new ReadProcess(other.port(), layout, messagesPerQueue)) {
            reader.read(queues - queues / WARM_UP_SHARE, queues, UNLIMITED);
            dropCaches();
            double cold = p99Millis(
                    producer,
                    "with the cold reader at another broker",
                    () -> reader.read(0, queues / SHARE, UNLIMITED));
            figures.plain("  ratio", "", cold / before);
            dropCaches();
            double paced = p99Millis(
                    producer,
                    "with a cold reader of %,d messages/s there".formatted(PACED_MESSAGES_PER_SECOND),
                    () -> reader.read(queues / SHARE, queues / SHARE + pacedQueues(), PACED_MESSAGES_PER_SECOND));
            figures.plain("  ratio", "", paced / before);
        }
    }

    private int pacedQueues() {
        return Math.min(queues / SHARE, PACED_MESSAGES_PER_SECOND * PACED_SECONDS / messagesPerQueue);
    }

    /** Work that runs while the producer produces. */
    private interface Work {
        void run() throws IOException, BrokerFailedException;
    }

    private double p99Millis(PacedProducer producer, String what, Work work) throws IOException, BrokerFailedException {
        producer.forget();
        work.run();
        double p99Millis = producer.latency().p99();
        figures.plain("produce p99 " + what, "ms", p99Millis);
        return p99Millis;
    }

    private static void dropCaches() throws IOException, BrokerFailedException {
        if (!ProcFs.dropCaches()) {
            throw new BrokerFailedException("only root can drop the page cache: run this phase as root");
        }
    }

    private void read(ReadProcess reader, String what, int from, int to, int messagesPerSecond) throws IOException {
        figures.plain(
                what, "messages/s", reader.read(from, to, messagesPerSecond).perSecond());
    }

    private void readWhole(ReadProcess reader) throws IOException, BrokerFailedException {
        long reads = ProcFs.diskReads();
        long bytes = broker.diskReadBytes();
        Meter meter = new Meter(broker);
        ReadBack.Read read = reader.read(0, queues / SHARE, UNLIMITED);
        double readMib = (broker.diskReadBytes() - bytes) / Machine.BYTES_PER_MIB;
        figures.plain("cold read of a fifth of the queues", "messages/s", read.perSecond());
        figures.plain("messages of it", "", (double) read.messages());
        figures.plain(
                "record batches of it",
                "MiB/s",
                read.messages() * new QueueBatch().bytes() / Machine.BYTES_PER_MIB / read.seconds());
        figures.plain("from the disk meanwhile", "MiB/s", readMib / read.seconds());
        figures.atMost(
                "I/Os of all disks a message",
                "",
                (ProcFs.diskReads() - reads) / (double) read.messages(),
                IOS_PER_MESSAGE);
        figures.plain(
                "broker CPU a message, the producer's included", "us", meter.cpuSeconds() * 1e6 / read.messages());
    }
}
