package io.rivulet.bench.million;

import io.rivulet.bench.lab.BrokerFailedException;
import io.rivulet.bench.lab.RunningBroker;
import io.rivulet.bench.load.Latency;
import io.rivulet.bench.load.LoadShape;
import io.rivulet.bench.load.PacedLoad;
import io.rivulet.bench.load.ProduceFrames;
import io.rivulet.bench.load.Running;
import io.rivulet.bench.load.Topics;
import java.io.IOException;
import org.HdrHistogram.Recorder;

/**
 * A producer of small requests at a fixed rate, to a topic of its own. Its latencies show what other load costs.
 * Confined to one thread.
 */
final class PacedProducer implements AutoCloseable {
    private static final String TOPIC = "paced";
    private static final LoadShape SHAPE = new LoadShape(100, 1, 10);
    private static final int WARM_UP_SECONDS = 8;

    private final Recorder latencies = Latency.recorder();
    private final Running running;

    /** Returns when it has got going. */
    PacedProducer(RunningBroker broker, int requestsPerSecond) throws IOException, BrokerFailedException {
        double unused = Topics.create(broker, TOPIC, SHAPE.partitions());
        Topics.awaitEnds(broker, TOPIC, SHAPE.partitions());
        running = new Running(broker);
        new PacedLoad(broker, ProduceFrames.of(TOPIC, SHAPE), requestsPerSecond, latencies).start(running);
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

    /** Since the last call, or since {@link #forget}. */
    Latency latency() {
        return Latency.of(latencies);
    }

    @Override
    public void close() throws IOException {
        running.close();
    }
}
