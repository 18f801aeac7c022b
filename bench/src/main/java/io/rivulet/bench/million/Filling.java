package io.rivulet.bench.million;

import io.rivulet.bench.versus.BrokerFailedException;
import io.rivulet.bench.versus.ProduceResponses;
import io.rivulet.bench.versus.RunningBroker;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** Puts so many messages into each queue, over two connections with five requests on their way each. Stateless. */
final class Filling {
    private static final int CONNECTIONS = 2;
    private static final int IN_FLIGHT = 5;

    private Filling() {}

    /** Answers the seconds that it took until all were acknowledged. */
    static double run(RunningBroker broker, QueueFrames frames, int rounds) throws IOException, InterruptedException {
        long startNanos = System.nanoTime();
        Threads.run(CONNECTIONS, connection -> {
            try (SocketChannel channel = broker.connect()) {
                send(channel, frames, rounds, connection);
            }
        });
        return (System.nanoTime() - startNanos) / 1e9;
    }

    private static void send(SocketChannel channel, QueueFrames frames, int rounds, int connection)
            throws IOException, BrokerFailedException {
        ProduceResponses responses = new ProduceResponses();
        int onTheirWay = 0;
        for (int round = 0; round < rounds; round++) {
            for (int i = connection; i < frames.count(); i += CONNECTIONS) {
                if (onTheirWay == IN_FLIGHT) {
                    onTheirWay -= responses.readSome(channel);
                }
                ByteBuffer frame = frames.frame(i);
                while (frame.hasRemaining()) {
                    channel.write(frame);
                }
                onTheirWay++;
            }
        }
        while (onTheirWay > 0) {
            onTheirWay -= responses.readSome(channel);
        }
    }
}
