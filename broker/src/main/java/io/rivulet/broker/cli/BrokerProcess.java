package io.rivulet.broker.cli;

import io.rivulet.broker.Broker;
import io.rivulet.broker.config.BrokerConfig;
import io.rivulet.broker.config.ConfigException;
import io.rivulet.broker.config.ConsoleSettings;
import io.rivulet.broker.config.HostPort;
import io.rivulet.broker.config.Listener;
import io.rivulet.store.failure.FailureLatch;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Runs a broker as a process: starts it, prints that it is ready, and closes it at a signal. */
final class BrokerProcess {
    private static final Logger LOG = LoggerFactory.getLogger(BrokerProcess.class);

    /** How long the process waits until the last log lines are read. */
    private static final long LAST_LINES_MILLIS = 500;

    private BrokerProcess() {}

    /**
     * Returns only if the broker can't start. A signal runs the shutdown hook, which ends the process.
     *
     * @param readyLines more lines to print when the broker serves clients
     */
    static int untilSignal(
            BrokerConfig config, long startedNanos, PrintWriter out, PrintWriter err, String... readyLines) {
        FailureLatch failures = new FailureLatch();
        FailStop failStop = FailStop.watch(failures, LogOutput.STANDARD_ERROR.format());
        LogOutput.STANDARD_ERROR.startThread(failures);
        System.setErr(LogOutput.STANDARD_ERROR.asStream());
        Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> failures.fail(thrown));
        CollectorWatch.start(failures);
        AtomicReference<@Nullable Broker> started = new AtomicReference<>();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> closeAndExit(started.get(), failStop), "shutdown"));
        if (!config.values().unknownKeys().isEmpty()) {
            LOG.warn(
                    "These keys are unknown and are ignored: {}. 'rivulet config --describe' lists all keys",
                    String.join(", ", config.values().unknownKeys()));
        }
        try {
            Broker broker = Broker.start(config, failures);
            started.set(broker);
            out.println(readyLine(places(config, broker), broker.queues(), startedNanos) + pages(config, broker));
            for (String line : readyLines) {
                out.println(line);
            }
            out.flush();
            if (config.cluster().isEmpty()) {
                adviseOnDisk(config.dataDirectory());
            }
        } catch (ConfigException | IOException | UncheckedIOException e) {
            if (!failures.isSet()) {
                LogOutput.STANDARD_ERROR.awaitWritten(LAST_LINES_MILLIS);
                return cannotStart(err, e);
            }
        } catch (Throwable e) {
            failures.fail(e);
        }
        CommandLineLogger.prepare(LogOutput.STANDARD_ERROR.format());
        if (!failures.isSet()) {
            ServiceManager.ready();
        }
        return awaitSignal();
    }

    private static void adviseOnDisk(Path dataDirectory) {
        KernelReadAhead.of(dataDirectory)
                .filter(KernelReadAhead::isHarmful)
                .ifPresent(found -> LOG.info(
                        "{} is {}: producers wait for milliseconds while a consumer reads old records."
                                + " Root can change it, to 512 for example",
                        found.setting(),
                        found.kib()));
    }

    /** Prints why, in the format of the log. Returns the exit code. */
    static int cannotStart(PrintWriter err, Exception why) {
        String message = "rivulet: the broker can't start: " + why.getMessage();
        err.print(LogOutput.STANDARD_ERROR.format().note(Level.ERROR, message));
        err.flush();
        return ExitCode.CANNOT_START;
    }

    /** Without a formatter, which would load the data of a locale. */
    static String readyLine(List<String> places, int queues, long startedNanos) {
        long millis = (System.nanoTime() - startedNanos) / 1_000_000;
        return "rivulet " + BuildInfo.version() + " is ready on " + String.join(", ", places) + " with " + queues
                + " queues after " + millis + " ms";
    }

    private static String pages(BrokerConfig config, Broker broker) {
        ConsoleSettings console = config.http().console();
        return page("; http://", config.http().listener(), broker.httpAddress())
                + page(
                        console.tls() == null ? "; console http://" : "; console https://",
                        console.listener(),
                        broker.consoleAddress());
    }

    private static String page(String before, @Nullable HostPort listener, @Nullable InetSocketAddress address) {
        return address == null || listener == null
                ? ""
                : before + (listener.host().isEmpty() ? "*" : listener.host()) + ":" + address.getPort();
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

    /**
     * Ends the process with 0 after a clean close. Otherwise the JVM would end with 128 and the number of the signal,
     * which it does while the broker starts and there is nothing to close.
     */
    private static void closeAndExit(@Nullable Broker broker, FailStop failStop) {
        if (broker == null) {
            return;
        }
        failStop.stopping(broker::closing);
        LOG.info("Stopping");
        int exitCode = ExitCode.CLEAN;
        try {
            broker.close();
        } catch (IOException e) {
            LOG.error("The broker could not be closed cleanly", e);
            exitCode = ExitCode.CANNOT_START;
        }
        LogOutput.STANDARD_ERROR.awaitWritten(LAST_LINES_MILLIS);
        Runtime.getRuntime().halt(exitCode);
    }

    private static int awaitSignal() {
        CountDownLatch never = new CountDownLatch(1);
        while (true) {
            try {
                never.await();
            } catch (InterruptedException e) {
                LOG.debug("Ignored an interrupt of the main thread");
            }
        }
    }
}
