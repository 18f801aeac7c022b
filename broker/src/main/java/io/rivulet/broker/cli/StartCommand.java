package io.rivulet.broker.cli;

import io.rivulet.broker.Broker;
import io.rivulet.broker.config.BrokerConfig;
import io.rivulet.broker.config.ConfigException;
import io.rivulet.broker.config.Listener;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "start",
        mixinStandardHelpOptions = true,
        description = {
            "Run the broker until SIGTERM or Ctrl-C.",
            "Without a file it listens on localhost:9092 and keeps its data in ./rivulet-data.",
        })
final class StartCommand implements Callable<Integer> {
    private static final Logger LOG = LoggerFactory.getLogger(StartCommand.class);

    @Spec
    private CommandSpec spec;

    @Parameters(
            arity = "0..1",
            paramLabel = "server.properties",
            description = "configuration, with the names of Kafka's keys")
    private @Nullable Path file;

    @Option(
            names = "--override",
            paramLabel = "key=value",
            description = "set a key, whatever the file says; may be given again and again")
    private Map<String, String> overrides = new HashMap<>();

    @Override
    public Integer call() {
        long startedNanos = System.nanoTime();
        try {
            BrokerConfig config = BrokerConfig.of(properties());
            if (!config.unknownKeys().isEmpty()) {
                LOG.warn("These keys mean nothing here and are ignored: {}", String.join(", ", config.unknownKeys()));
            }
            return run(config, startedNanos);
        } catch (ConfigException | IOException e) {
            spec.commandLine().getErr().println("rivulet: " + e.getMessage());
            return 1;
        }
    }

    private int run(BrokerConfig config, long startedNanos) throws IOException {
        Broker broker = Broker.start(config);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> closeAndExit(broker), "shutdown"));
        PrintWriter out = spec.commandLine().getOut();
        out.printf(
                "rivulet %s is ready on %s with %d queues after %d ms%n",
                BuildInfo.version(),
                String.join(", ", places(config, broker)),
                broker.queues(),
                (System.nanoTime() - startedNanos) / 1_000_000);
        out.flush();
        return awaitSignal();
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

    /** Never returns: a signal runs the shutdown hook, which ends the process. */
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

    private Map<String, String> properties() throws IOException {
        Properties fromFile = new Properties();
        Path given = file;
        if (given != null) {
            try (Reader reader = Files.newBufferedReader(given)) {
                fromFile.load(reader);
            } catch (NoSuchFileException e) {
                throw new IOException("there is no file " + given, e);
            }
        }
        Map<String, String> properties = new HashMap<>();
        fromFile.forEach((key, value) -> properties.put((String) key, (String) value));
        properties.putAll(overrides);
        return properties;
    }
}
