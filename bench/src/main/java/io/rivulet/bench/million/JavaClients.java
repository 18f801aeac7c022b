package io.rivulet.bench.million;

import io.rivulet.bench.lab.BrokerFailedException;
import io.rivulet.bench.lab.RunningBroker;
import io.rivulet.bench.load.Filling;
import java.io.IOException;
import java.io.PrintWriter;

/** Java clients write ten messages to each queue, and read and verify them. Stateless. */
final class JavaClients {
    private JavaClients() {}

    static void run(RunningBroker broker, Layout layout, int queues, Figures figures, PrintWriter out)
            throws IOException, BrokerFailedException {
        double all = (double) queues * Message.PER_QUEUE;
        JavaProducers producers = new JavaProducers(broker, layout, queues);
        double cpu = broker.cpuSeconds();
        double seconds = producers.run(out);
        figures.plain(producers.title() + ": 10 messages to each queue", "s", seconds);
        figures.plain("  that is", "messages/s", all / seconds);
        figures.plain("broker CPU of it", "s", broker.cpuSeconds() - cpu);
        figures.plain("RSS at its highest so far", "MB", broker.peakResidentMegabytes());
        read(broker, layout, queues, true, figures, out);
    }

    /** Reads what {@link Filling} has written, which takes seconds. */
    static void readFilled(RunningBroker broker, Layout layout, int queues, Figures figures, PrintWriter out)
            throws IOException, BrokerFailedException {
        read(broker, layout, queues, false, figures, out);
    }

    private static void read(
            RunningBroker broker, Layout layout, int queues, boolean numbered, Figures figures, PrintWriter out)
            throws IOException, BrokerFailedException {
        double all = (double) queues * Message.PER_QUEUE;
        double cpu = broker.cpuSeconds();
        JavaConsumers consumers = new JavaConsumers(broker, layout, queues, numbered);
        consumers.run(out);
        figures.plain(consumers.title() + " has joined", "s", consumers.joinSeconds());
        figures.plain("  and has read and verified all", "s", consumers.readSeconds());
        figures.plain("  that is", "messages/s", all / consumers.readSeconds());
        figures.plain("broker CPU of it", "s", broker.cpuSeconds() - cpu);
        figures.plain("RSS at its highest", "MB", broker.peakResidentMegabytes());
    }
}
