package io.rivulet.bench.million;

import io.rivulet.bench.versus.BrokerFailedException;
import io.rivulet.bench.versus.LoadShape;
import io.rivulet.bench.versus.PacedLoad;
import io.rivulet.bench.versus.ProcFs;
import io.rivulet.bench.versus.ProduceFrames;
import io.rivulet.bench.versus.ProduceLoad;
import io.rivulet.bench.versus.Running;
import io.rivulet.bench.versus.RunningBroker;
import io.rivulet.bench.versus.Subject;
import io.rivulet.bench.versus.Topics;
import java.io.IOException;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/** Reads a fifth of the queues whole, one after the other, from a cold disk, while a producer goes on at a fixed rate. Confined to one thread. */
final class ColdReads {
    private static final String TOPIC = "paced";
    private static final LoadShape SHAPE = new LoadShape(100, 1, 10);
    private static final int REQUESTS_PER_SECOND = 1_000;
    private static final int WARM_UP_SECONDS = 8;
    private static final int MEASURED_SECONDS = 10;
    private static final int SHARE = 5;
    private static final double IOS_PER_MESSAGE = 0.02;
    private static final double SLOWER = 1.2;
    private static final double BYTES_PER_MIB = 1 << 20;

    /** For the readers that leave the cores time to rest. */
    private static final int PACED_MESSAGES_PER_SECOND = 50_000;

    private static final int PACED_SECONDS = 10;

    private final RunningBroker broker;
    private final Layout layout;
    private final int queues;
    private final int messagesPerQueue;
    private final Figures figures;
    private final Recorder latencies = ProduceLoad.recorder();

    /** @param messagesPerQueue what was written to each queue */
    ColdReads(RunningBroker broker, Layout layout, int queues, int messagesPerQueue, Figures figures) {
        this.broker = broker;
        this.layout = layout;
        this.queues = queues;
        this.messagesPerQueue = messagesPerQueue;
        this.figures = figures;
    }

    /** The producer alone; then with readers that read as fast as they can, cold, and the same once more, warm; then cold and at a pace. */
    void run(Subject subject) throws IOException, InterruptedException, BrokerFailedException {
        double unused = Topics.create(broker, subject, TOPIC, SHAPE.partitions());
        Topics.awaitEnds(broker, TOPIC, SHAPE.partitions());
        ProduceFrames frames = ProduceFrames.of(TOPIC, SHAPE);
        try (Running running = new Running(broker)) {
            PacedLoad load = new PacedLoad(broker, frames, REQUESTS_PER_SECOND, latencies);
            running.start(load);
            running.start(load.receiver());
            running.watch(WARM_UP_SECONDS);
            double before = latencies("without a reader, 1,000 requests/s", () -> running.watch(MEASURED_SECONDS));
            dropCaches();
            double cold = latencies("with the cold reader", this::readWhole);
            figures.atMost("  ratio of the two", "", cold / before, SLOWER);
            double warm = latencies("with a reader of the same, now in the page cache", this::readWarm);
            figures.plain("  ratio", "", warm / before);
            dropCaches();
            double paced = latencies(
                    "with a cold reader of %,d messages/s".formatted(PACED_MESSAGES_PER_SECOND), this::readPaced);
            figures.atMost("  ratio", "", paced / before, SLOWER);
        }
    }

    private int pacedQueues() {
        return Math.min(queues / SHARE, PACED_MESSAGES_PER_SECOND * PACED_SECONDS / messagesPerQueue);
    }

    /** Something that is done while the producer goes on. */
    private interface Meanwhile {
        void run() throws IOException, InterruptedException, BrokerFailedException;
    }

    /** Answers the 99th percentile in milliseconds. */
    private double latencies(String what, Meanwhile meanwhile)
            throws IOException, InterruptedException, BrokerFailedException {
        latencies.reset();
        meanwhile.run();
        Histogram seen = latencies.getIntervalHistogram();
        figures.plain("produce p50 " + what, "ms", seen.getValueAtPercentile(50) / 1e6);
        double p99Millis = seen.getValueAtPercentile(99) / 1e6;
        figures.plain("  p99", "ms", p99Millis);
        return p99Millis;
    }

    private static void dropCaches() throws IOException, BrokerFailedException {
        if (!ProcFs.dropCaches()) {
            throw new BrokerFailedException("only root may drop the page cache");
        }
    }

    private ReadBack.Read read(int from, int count, int messagesPerSecond) throws IOException, InterruptedException {
        return ReadProcess.run(broker.port(), layout, messagesPerQueue, from, from + count, messagesPerSecond);
    }

    private void readWarm() throws IOException, InterruptedException {
        figures.plain(
                "warm read of them",
                "messages/s",
                read(0, queues / SHARE, Integer.MAX_VALUE).perSecond());
    }

    private void readPaced() throws IOException, InterruptedException {
        figures.plain(
                "paced cold read of others",
                "messages/s",
                read(queues / SHARE, pacedQueues(), PACED_MESSAGES_PER_SECOND).perSecond());
    }

    private void readWhole() throws IOException, InterruptedException {
        long reads = ProcFs.diskReads();
        long bytes = broker.diskReadBytes();
        double cpu = broker.cpuSeconds();
        ReadBack.Read read = read(0, queues / SHARE, Integer.MAX_VALUE);
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
