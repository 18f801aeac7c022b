package io.rivulet.bench.million;

import io.rivulet.bench.versus.BrokerFailedException;
import io.rivulet.bench.versus.LoadShape;
import io.rivulet.bench.versus.PacedLoad;
import io.rivulet.bench.versus.ProduceFrames;
import io.rivulet.bench.versus.ProduceLoad;
import io.rivulet.bench.versus.Running;
import io.rivulet.bench.versus.RunningBroker;
import io.rivulet.bench.versus.Topics;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;

/** A producer of small requests at a fixed rate, to a topic of its own: what others do to it shows in its latencies. Confined to one thread. */
final class PacedProducer implements AutoCloseable {
    private static final String TOPIC = "paced";
    private static final LoadShape SHAPE = new LoadShape(100, 1, 10);
    private static final int WARM_UP_SECONDS = 8;
    private static final double NANOS_PER_MILLI = 1e6;

    private final Recorder latencies = ProduceLoad.recorder();
    private final Running running;

    /** Returns when it has got going. */
    PacedProducer(RunningBroker broker, int requestsPerSecond)
            throws IOException, BrokerFailedException, InterruptedException {
        createTopic(broker);
        Topics.awaitEnds(broker, TOPIC, SHAPE.partitions());
        running = new Running(broker);
        PacedLoad load = new PacedLoad(broker, ProduceFrames.of(TOPIC, SHAPE), requestsPerSecond, latencies);
        running.start(load);
        running.start(load.receiver());
        running.watch(WARM_UP_SECONDS);
        latencies.reset();
    }

    /** Only produces, so long. */
    void watch(int seconds) throws BrokerFailedException, IOException {
        running.watch(seconds);
    }

    void forget() {
        latencies.reset();
    }

    /** Since the last time that it was asked, or forgotten. */
    Latency latency() {
        Histogram histogram = latencies.getIntervalHistogram();
        return new Latency(
                histogram.getValueAtPercentile(99) / NANOS_PER_MILLI, histogram.getMaxValue() / NANOS_PER_MILLI);
    }

    /** What requests took. */
    record Latency(double p99Millis, double longestMillis) {}

    private static void createTopic(RunningBroker broker) throws BrokerFailedException, InterruptedException {
        try (Admin admin = Admin.create(Topics.settings(broker))) {
            admin.createTopics(List.of(new NewTopic(TOPIC, SHAPE.partitions(), (short) 1)))
                    .all()
                    .get();
        } catch (ExecutionException e) {
            throw new BrokerFailedException("can't create a topic: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() throws IOException {
        running.close();
    }
}
