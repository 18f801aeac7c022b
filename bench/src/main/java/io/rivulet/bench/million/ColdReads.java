package io.rivulet.bench.million;

import io.rivulet.bench.lab.BrokerFailedException;
import io.rivulet.bench.lab.Machine;
import io.rivulet.bench.lab.ProcFs;
import io.rivulet.bench.lab.RunningBroker;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Reads a fifth of the queues from a cold disk, one whole queue after the other, beside a producer with a fixed rate.
 * Confined to one thread.
 */
final class ColdReads {
    private static final int REQUESTS_PER_SECOND = 1_000;
    private static final int MEASURED_SECONDS = 10;
    private static final int SHARE = 5;
    /** What readers and broker read first, until the just-in-time compiler has done most of its work. */
    private static final int WARM_UP_SHARE = 5;

    private static final double IOS_PER_MESSAGE = 0.02;
    private static final double SLOWER = 1.2;

    /** For the readers that leave the cores time to rest. */
    private static final int PACED_MESSAGES_PER_SECOND = 50_000;

    private static final int PACED_SECONDS = 10;

    private final RunningBroker broker;
    private final @Nullable RunningBroker elsewhere;
    private final Layout layout;
    private final int queues;
    private final int messagesPerQueue;
    private final Figures figures;

    /**
     * @param elsewhere a second broker with the same data, or null. It shows what readers cost a producer because they
     * share cores and disk with it, and not its broker.
     * @param messagesPerQueue how many messages each queue has
     */
    ColdReads(
            RunningBroker broker,
            @Nullable RunningBroker elsewhere,
            Layout layout,
            int queues,
            int messagesPerQueue,
            Figures figures) {
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
        try (PacedProducer producer = new PacedProducer(broker, REQUESTS_PER_SECOND);
                ReadProcess reader = new ReadProcess(broker.port(), layout, messagesPerQueue)) {
            int warmUpFrom = queues - queues / WARM_UP_SHARE;
            figures.plain(
                    "the first reads of both processes, of other queues",
                    "messages/s",
                    reader.read(warmUpFrom, queues, Integer.MAX_VALUE).perSecond());
            double before =
                    p99Millis(producer, "without a reader, 1,000 requests/s", () -> producer.watch(MEASURED_SECONDS));
            dropCaches();
            double cold = p99Millis(producer, "with the cold reader", () -> readWhole(reader));
            figures.atMost("  ratio of the two", "", cold / before, SLOWER);
            double warm =
                    p99Millis(producer, "with a reader of the same, now in the page cache", () -> readWarm(reader));
            figures.plain("  ratio", "", warm / before);
            dropCaches();
            double paced = p99Millis(
                    producer,
                    "with a cold reader of %,d messages/s".formatted(PACED_MESSAGES_PER_SECOND),
                    () -> readPaced(reader));
            figures.atMost("  ratio", "", paced / before, SLOWER);
            if (elsewhere != null) {
                readElsewhere(producer, elsewhere, before);
            }
        }
    }

    private void readElsewhere(PacedProducer producer, RunningBroker other, double before)
            throws IOException, BrokerFailedException {
        try (ReadProcess reader = new ReadProcess(other.port(), layout, messagesPerQueue)) {
            reader.read(queues - queues / WARM_UP_SHARE, queues, Integer.MAX_VALUE);
            dropCaches();
            double cold = p99Millis(
                    producer,
                    "with the cold reader at another broker",
                    () -> reader.read(0, queues / SHARE, Integer.MAX_VALUE));
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

    /** Something that is done while the producer goes on. */
    private interface Meanwhile {
        void run() throws IOException, BrokerFailedException;
    }

    private double p99Millis(PacedProducer producer, String what, Meanwhile meanwhile)
            throws IOException, BrokerFailedException {
        producer.forget();
        meanwhile.run();
        double p99Millis = producer.latency().p99();
        figures.plain("produce p99 " + what, "ms", p99Millis);
        return p99Millis;
    }

    private static void dropCaches() throws IOException, BrokerFailedException {
        if (!ProcFs.dropCaches()) {
            throw new BrokerFailedException("only root may drop the page cache");
        }
    }

    private void readWarm(ReadProcess reader) throws IOException {
        figures.plain(
                "warm read of them",
                "messages/s",
                reader.read(0, queues / SHARE, Integer.MAX_VALUE).perSecond());
    }

    private void readPaced(ReadProcess reader) throws IOException {
        int from = queues / SHARE;
        figures.plain(
                "paced cold read of others",
                "messages/s",
                reader.read(from, from + pacedQueues(), PACED_MESSAGES_PER_SECOND)
                        .perSecond());
    }

    private void readWhole(ReadProcess reader) throws IOException, BrokerFailedException {
        long reads = ProcFs.diskReads();
        long bytes = broker.diskReadBytes();
        double cpu = broker.cpuSeconds();
        ReadBack.Read read = reader.read(0, queues / SHARE, Integer.MAX_VALUE);
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
                "broker CPU a message, the producer's included",
                "us",
                (broker.cpuSeconds() - cpu) * 1e6 / read.messages());
    }
}
