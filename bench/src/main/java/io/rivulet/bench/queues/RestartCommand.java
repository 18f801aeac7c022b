package io.rivulet.bench.queues;

import io.rivulet.bench.lab.BenchCommand;
import io.rivulet.bench.lab.DataDirectory;
import io.rivulet.bench.lab.Machine;
import io.rivulet.store.Store;
import io.rivulet.store.StoreMetric;
import io.rivulet.store.open.LocalStore;
import io.rivulet.store.open.StoreEnvironment;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Starts child processes. The first one fills a store and is killed while the store is open. Each later one opens the
 * store, checks it, and is killed too.
 */
@Command(
        name = "restart",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Fill a store of a million queues, kill the process, and measure how long a new one needs to open it.",
            "The log is written without the page cache, so the first opening reads from the disk.",
        })
public final class RestartCommand extends BenchCommand {
    private static final String READY = "ready";
    private static final int CHECKS = 10_000;

    private enum Role {
        PARENT,
        FILL,
        OPEN
    }

    @Mixin
    private final StoreOptions options = new StoreOptions();

    @Option(
            names = "--messages",
            defaultValue = "17000000",
            description = "messages (default: ${DEFAULT-VALUE}, a GiB of log)")
    private long messages;

    @Option(names = "--cache-mib", defaultValue = "64", description = "memory of the cache (default: ${DEFAULT-VALUE})")
    private long cacheMib;

    @Option(names = "--openings", defaultValue = "3", description = "number of openings (default: ${DEFAULT-VALUE})")
    private int openings;

    @Option(names = "--role", hidden = true, defaultValue = "PARENT")
    private Role role = Role.PARENT;

    @Override
    public Integer call() throws Exception {
        switch (role) {
            case FILL -> fill();
            case OPEN -> open();
            default -> parent();
        }
        return 0;
    }

    private void parent() throws Exception {
        out().printf(
                        "%,d queues, %,d messages of %d bytes, %s%n",
                        options.queues, messages, options.bytes, Machine.describeWithHeap());
        try (DataDirectory data = options.data()) {
            runUntilReady(data.path(), Role.FILL);
            for (int i = 0; i < openings; i++) {
                runUntilReady(data.path(), Role.OPEN);
            }
        }
    }

    /** Runs a child, prints its output, and kills it when it is ready. */
    private void runUntilReady(Path data, Role child) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command(data, child))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            String line = lines.readLine();
            while (line != null && !line.equals(READY)) {
                out().println(line);
                out().flush();
                line = lines.readLine();
            }
            if (line == null) {
                throw new IllegalStateException("the child process " + child + " ended early");
            }
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    /** The command of a child, with this virtual machine and its options. */
    private List<String> command(Path data, Role child) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), "io.rivulet.bench.Bench", "restart"));
        command.addAll(List.of("--role", child.name(), "--directory", data.toString()));
        command.addAll(List.of("--queues", "" + options.queues, "--messages", "" + messages));
        command.addAll(List.of("--bytes", "" + options.bytes));
        command.addAll(List.of("--tail-mib", "" + options.tailMib, "--cache-mib", "" + cacheMib));
        return command;
    }

    // ---- the children ----

    private Messages contents() {
        return new Messages(options.bytes, options.bytes, 0);
    }

    private Store openStore() throws IOException {
        return LocalStore.open(
                options.memory(cacheMib), StoreEnvironment.local(Objects.requireNonNull(options.directory)));
    }

    private void fill() throws Exception {
        Store store = openStore();
        store.createQueues(options.queues, 0).toCompletableFuture().get();
        StoreLoad load = new StoreLoad(options.queues, contents(), 1, 2000, 32);
        Producer.of(store, load, 0, messages, new LongAdder()).get(0).run();
        StoreMetrics metrics = StoreMetrics.of(store);
        out().printf(
                        "filled: %,d MiB of log written, %,d sweep cycles done, %d MiB resident; to be killed%n",
                        metrics.get(StoreMetric.LOG_WRITTEN_BYTES) >> 20,
                        metrics.get(StoreMetric.SWEEP_CYCLES),
                        Machine.residentMib());
        awaitKill();
    }

    private void open() throws Exception {
        long startNanos = System.nanoTime();
        Store store = openStore();
        double seconds = (System.nanoTime() - startNanos) / 1e9;
        long startedMillis = ManagementFactory.getRuntimeMXBean().getStartTime();
        double sinceStart = (System.currentTimeMillis() - startedMillis) / 1e3;
        long residentMib = Machine.residentMib();
        StoreMetrics metrics = StoreMetrics.of(store);
        out().printf(
                        "opened: %.2f s after the start of the process, %.2f s for the store, %.2f s of that to replay"
                                + " %,d MiB; %,d queues, %,d block files, %d MiB resident, at most %d%n",
                        sinceStart,
                        seconds,
                        metrics.get(StoreMetric.REPLAY_NANOS) / 1e9,
                        metrics.get(StoreMetric.REPLAYED_BYTES) >> 20,
                        metrics.get(StoreMetric.QUEUES),
                        metrics.get(StoreMetric.BLOCK_FILES),
                        residentMib,
                        Machine.peakResidentMib());
        check(store);
        awaitKill();
    }

    /** Checks that all messages are there, because all were acknowledged. */
    private void check(Store store) throws IOException {
        LongAdder verified = new LongAdder();
        Checker checker = new Checker(store, contents(), 0, verified);
        long ends = 0;
        for (int queue = 0; queue < options.queues; queue++) {
            ends += store.endOffset(queue);
        }
        if (ends != messages) {
            throw new IllegalStateException("the store has " + ends + " messages of " + messages);
        }
        for (int i = 0; i < CHECKS; i++) {
            checker.readWhole((int) ((long) i * options.queues / CHECKS));
        }
        out().printf("  no message is missing; %,d of them read and verified%n", verified.sum());
    }

    private void awaitKill() throws IOException {
        out().println(READY);
        out().flush();
        if (System.in.read() < 0) {
            Runtime.getRuntime().halt(1);
        }
    }
}
