package io.rivulet.bench.load;

import io.rivulet.bench.lab.BrokerFailedException;
import io.rivulet.bench.lab.RunningBroker;
import io.rivulet.bench.lab.Threads;
import java.io.IOException;

/** Sends a number of requests as fast as they are answered, over two connections. Stateless. */
public final class Filling {
    private static final int CONNECTIONS = 2;

    private Filling() {}

    /**
     * Sends the frames in turn, again and again. Returns the seconds until the last one is acknowledged.
     *
     * @param requests how many in all; a multiple of the number of frames sends each of them equally often
     */
    public static double run(RunningBroker broker, Frames frames, long requests)
            throws IOException, BrokerFailedException {
        long startNanos = System.nanoTime();
        Threads.run(CONNECTIONS, connection -> {
            long first = connection * requests / CONNECTIONS;
            long count = (connection + 1) * requests / CONNECTIONS - first;
            int firstFrame = (int) (first % frames.count());
            try (PipelinedLoad load = new PipelinedLoad(broker, frames, firstFrame, count, new Counters())) {
                load.load();
            } catch (BrokerFailedException | IOException e) {
                throw new BrokerFailedException(e.getMessage() + "; the broker says: " + broker.complaint(), e);
            }
        });
        return (System.nanoTime() - startNanos) / 1e9;
    }
}
