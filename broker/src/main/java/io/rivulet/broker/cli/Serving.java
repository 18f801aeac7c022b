package io.rivulet.broker.cli;

import io.rivulet.broker.Broker;
import io.rivulet.broker.config.BrokerConfig;
import io.rivulet.broker.config.Listener;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The life of a process that is a broker: start, say so, and end with the signal. */
final class Serving {
    private static final Logger LOG = LoggerFactory.getLogger(Serving.class);

    private Serving() {}

    /**
     * Never returns: a signal runs the shutdown hook, which ends the process.
     *
     * @param readyLines what else is said when the broker serves clients
     */
    static int untilSignal(BrokerConfig config, long startedNanos, PrintWriter out, String... readyLines)
            throws IOException {
        if (!config.unknownKeys().isEmpty()) {
            LOG.warn("These keys mean nothing here and are ignored: {}", String.join(", ", config.unknownKeys()));
        }
        Broker broker = Broker.start(config);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> closeAndExit(broker), "shutdown"));
        out.println(readyLine(places(config, broker), broker.queues(), startedNanos));
        for (String line : readyLines) {
            out.println(line);
        }
        out.flush();
        CommandLineLogger.prepare();
        return awaitSignal();
    }

    /** Put together by hand: to format numbers is to load a locale's habits. */
    static String readyLine(List<String> places, int queues, long startedNanos) {
        long millis = (System.nanoTime() - startedNanos) / 1_000_000;
        return "rivulet " + BuildInfo.version() + " is ready on " + String.join(", ", places) + " with " + queues
                + " queues after " + millis + " ms";
    }

    private static List<String> places(BrokerConfig config, Broker broker) {
        List<String> places = new ArrayList<>();
        for (int i = 0; i < config.listeners().size(); i++) {
            Listener listener = config.listeners().get(i);
            String host = listener.host().isEmpty() ? "*" : listener.host();
            places.add(host + ":" + broker.addresses().get(i).getPort());
        }
        return places;
    }

    /** Ends the process with 0 after a clean end; left alone, the virtual machine would answer a signal with 128 and its number. */
    private static void closeAndExit(Broker broker) {
        int exitCode = 0;
        try {
            broker.close();
        } catch (IOException e) {
            LOG.error("Closing failed", e);
            exitCode = 1;
        }
        Runtime.getRuntime().halt(exitCode);
    }

    private static int awaitSignal() {
        CountDownLatch never = new CountDownLatch(1);
        while (true) {
            try {
                never.await();
            } catch (InterruptedException e) {
                LOG.debug("Nobody interrupts this thread with a reason");
            }
        }
    }
}
