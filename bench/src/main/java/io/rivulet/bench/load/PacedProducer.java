package io.rivulet.bench.load;

import io.rivulet.bench.lab.BrokerFailedException;
import io.rivulet.bench.lab.RunningBroker;
import java.io.IOException;

/**
 * A producer of small requests to a topic of its own, at a fixed rate. Its latencies show what other load costs. Owned
 * by: the command's thread.
 */
public final class PacedProducer implements AutoCloseable {
    public static final LoadShape SHAPE = new LoadShape(100, 1, 10);
    private static final String TOPIC = "paced";

    private final Counters counters = new Counters();
    private final Running running;

    /** Returns after the warm-up. */
    public PacedProducer(RunningBroker broker, int requestsPerSecond, int warmUpSeconds)
            throws IOException, BrokerFailedException {
        Frames frames = Topics.createReady(broker, TOPIC, SHAPE);
        running = new Running(broker);
        new PacedLoad(broker, frames, requestsPerSecond, counters.latencies()).start(running);
        running.watch(warmUpSeconds);
        forget();
    }

    /** Only produces, for this time. */
    public void watch(int seconds) throws BrokerFailedException, IOException {
        running.watch(seconds);
    }

    /** Drops the latencies so far. */
    public void forget() {
        counters.latencies().reset();
    }

    /** The latencies since the last call, or since {@link #forget}. */
    public Latency latency() {
        return Latency.of(counters.latencies());
    }

    /** Counts the latencies of this producer. Other loads may count their messages here. */
    public Counters counters() {
        return counters;
    }

    /** Other loads may run here too. */
    public Running running() {
        return running;
    }

    @Override
    public void close() throws IOException {
        running.close();
    }
}
