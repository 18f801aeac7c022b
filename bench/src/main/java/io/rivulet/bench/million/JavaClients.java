package io.rivulet.bench.million;

import io.rivulet.bench.lab.BrokerFailedException;
import io.rivulet.bench.lab.RunningBroker;
import io.rivulet.bench.load.Filling;
import io.rivulet.bench.load.Meter;
import java.io.IOException;
import java.io.PrintWriter;

/** Java clients write messages to each queue, read them and verify them. Stateless. */
final class JavaClients {
    private JavaClients() {}

    static void run(RunningBroker broker, Layout layout, int queues, GoalTable figures, PrintWriter out)
            throws IOException, BrokerFailedException {
        double all = (double) queues * Message.PER_QUEUE;
        JavaProducers producers = new JavaProducers(broker, layout, queues);
        Meter meter = new Meter(broker);
        double seconds = producers.run(out);
        figures.plain(producers.title() + ": 10 messages to each queue", "s", seconds);
        figures.plain("  that is", "messages/s", all / seconds);
        figures.plain("broker CPU of it", "s", meter.cpuSeconds());
        figures.plain("RSS at its highest so far", "MB", broker.peakResidentMegabytes());
        read(broker, layout, queues, true, figures, out);
    }

    /** Reads what {@link Filling} has written. That is faster than Java producers. */
    static void readFilled(RunningBroker broker, Layout layout, int queues, GoalTable figures, PrintWriter out)
            throws IOException, BrokerFailedException {
        read(broker, layout, queues, false, figures, out);
    }

    private static void read(
            RunningBroker broker, Layout layout, int queues, boolean numbered, GoalTable figures, PrintWriter out)
            throws IOException, BrokerFailedException {
        double all = (double) queues * Message.PER_QUEUE;
        Meter meter = new Meter(broker);
        JavaConsumers consumers = new JavaConsumers(broker, layout, queues, numbered);
        consumers.run(out);
        figures.plain(consumers.title() + " has joined", "s", consumers.joinSeconds());
        figures.plain("  and has read and verified all", "s", consumers.readSeconds());
        figures.plain("  that is", "messages/s", all / consumers.readSeconds());
        figures.plain("broker CPU of it", "s", meter.cpuSeconds());
        figures.plain("RSS at its highest", "MB", broker.peakResidentMegabytes());
    }
}
