package io.rivulet.bench.million;

import io.rivulet.bench.versus.BrokerFailedException;
import io.rivulet.bench.versus.LoadShape;
import io.rivulet.bench.versus.PacedLoad;
import io.rivulet.bench.versus.ProcFs;
import io.rivulet.bench.versus.ProduceFrames;
import io.rivulet.bench.versus.ProduceLoad;
import io.rivulet.bench.versus.Running;
import io.rivulet.bench.versus.RunningBroker;
import io.rivulet.bench.versus.Topics;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.HdrHistogram.Recorder;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;

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

    private final RunningBroker broker;
    private final Figures figures;
    private final Recorder latencies = ProduceLoad.recorder();

    ColdReads(RunningBroker broker, Figures figures) {
        this.broker = broker;
        this.figures = figures;
    }

    /** @param messagesPerQueue what was written to each queue */
    void run(Layout layout, int queues, int messagesPerQueue)
            throws IOException, InterruptedException, BrokerFailedException {
        createTopic();
        ProduceFrames frames = ProduceFrames.of(TOPIC, SHAPE);
        try (Running running = new Running(broker)) {
            PacedLoad load = new PacedLoad(broker, frames, REQUESTS_PER_SECOND, latencies);
            running.start(load);
            running.start(load.receiver());
            running.watch(WARM_UP_SECONDS);
            latencies.reset();
            running.watch(MEASURED_SECONDS);
            double alone = p99Millis();
            if (!ProcFs.dropCaches()) {
                throw new BrokerFailedException("only root may drop the page cache");
            }
            latencies.reset();
            read(layout, queues, messagesPerQueue);
            double during = p99Millis();
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

    private double p99Millis() {
        return latencies.getIntervalHistogram().getValueAtPercentile(99) / 1e6;
    }

    private void createTopic() throws BrokerFailedException, InterruptedException {
        try (Admin admin = Admin.create(Topics.settings(broker))) {
            admin.createTopics(List.of(new NewTopic(TOPIC, SHAPE.partitions(), (short) 1)))
                    .all()
                    .get();
        } catch (ExecutionException e) {
            throw new BrokerFailedException("can't create a topic: " + e.getMessage(), e);
        }
    }
}
