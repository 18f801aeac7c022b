package io.rivulet.prove.flood;

import io.rivulet.broker.client.BrokerConnection;
import io.rivulet.broker.client.ClientSettings;
import io.rivulet.prove.hostile.GoodClient;

/** Another client, which writes and reads records one after the other on one connection. Owned by: one thread. */
final class Pulse implements AutoCloseable {
    private final BrokerConnection broker;

    Pulse(int port) {
        broker = BrokerConnection.to("localhost:" + port, ClientSettings.PLAIN);
        GoodClient.createTopic(broker);
    }

    /**
     * How long each exchange takes.
     *
     * @throws io.rivulet.broker.client.ClientException if it is not served
     */
    long[] nanos(int exchanges) {
        long[] nanos = new long[exchanges];
        for (int i = 0; i < exchanges; i++) {
            long startNanos = System.nanoTime();
            GoodClient.exchange(broker);
            nanos[i] = System.nanoTime() - startNanos;
        }
        return nanos;
    }

    @Override
    public void close() {
        broker.close();
    }
}
