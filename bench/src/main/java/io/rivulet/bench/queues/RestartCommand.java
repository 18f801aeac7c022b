package io.rivulet.bench.queues;

import io.rivulet.bench.lab.DataDirectory;
import io.rivulet.bench.lab.Machine;
import io.rivulet.store.Store;
import io.rivulet.store.StoreMetric;
import io.rivulet.store.open.LocalStore;
import io.rivulet.store.open.StoreConfig;
import io.rivulet.store.open.StoreEnvironment;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * This process starts children. The first fills a store and is killed while the store is open. Each of the next ones
 * opens what is left, checks it, and is killed as well.
 */
@Command(
        name = "restart",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Fill a store of a million queues, kill the process, and time the opening in a fresh one.",
            "The first opening finds a log that was written past the page cache: it reads from the disk.",
        })
public final class RestartCommand implements Callable<Integer> {
    private static final String READY = "ready";
    private static final int CHECKS = 10_000;

    private enum Role {
        PARENT,
        FILL,
        OPEN
    }

    @Option(names = "--queues", defaultValue = "1000000", description = "queues (default: ${DEFAULT-VALUE})")
    private int queues;

    @Option(
            names = "--messages",
            defaultValue = "17000000",
            description = "messages, in turn into each queue (default: ${DEFAULT-VALUE}, a GiB of log)")
    private long messages;

    @Option(names = "--bytes", defaultValue = "58", description = "bytes of a message (default: ${DEFAULT-VALUE})")
    private int bytes;

    @Option(
            names = "--tail-mib",
            defaultValue = "2048",
            description = "memory of the tail; what does not fit into it is swept (default: ${DEFAULT-VALUE})")
    private long tailMib;

    @Option(names = "--cache-mib", defaultValue = "64", description = "of the cache (default: ${DEFAULT-VALUE})")
    private long cacheMib;

    @Option(names = "--openings", defaultValue = "3", description = "how many (default: ${DEFAULT-VALUE})")
    private int openings;

    @Option(names = "--directory", description = "empty or new directory for the data (default: a temporary one)")
    private @Nullable Path directory;

    @Option(names = "--keep", description = "keep the data")
    private boolean keep;

    @Option(names = "--role", hidden = true, defaultValue = "PARENT")
    private Role role = Role.PARENT;

    @Spec
    private CommandSpec spec;

    private PrintWriter out = new PrintWriter(java.io.Writer.nullWriter());

    @Override
    public Integer call() throws Exception {
        out = spec.commandLine().getOut();
        switch (role) {
            case FILL -> fill();
            case OPEN -> open();
            default -> parent();
        }
        return 0;
    }

    private void parent() throws Exception {
        out.printf("%,d queues, %,d messages of %d bytes, %s%n", queues, messages, bytes, Machine.describeWithHeap());
        try (DataDirectory data = DataDirectory.of(directory, keep)) {
            runUntilReady(data.path(), Role.FILL);
            for (int i = 0; i < openings; i++) {
                runUntilReady(data.path(), Role.OPEN);
            }
        }
    }

    /** Runs a child, prints what it says, and kills it when it is ready. */
    private void runUntilReady(Path data, Role child) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command(data, child))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            String line = lines.readLine();
            while (line != null && !line.equals(READY)) {
                out.println(line);
                out.flush();
                line = lines.readLine();
            }
            if (line == null) {
                throw new IllegalStateException("the process that should " + child + " ended early");
            }
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    /** The same virtual machine with the same options as this one. */
    private List<String> command(Path data, Role child) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), "io.rivulet.bench.Bench", "restart"));
        command.addAll(List.of("--role", child.name(), "--directory", data.toString()));
        command.addAll(List.of("--queues", "" + queues, "--messages", "" + messages, "--bytes", "" + bytes));
        command.addAll(List.of("--tail-mib", "" + tailMib, "--cache-mib", "" + cacheMib));
        return command;
    }

    // ---- the children ----

    private StoreConfig config() {
        return StoreConfig.DEFAULT.withMemory(tailMib << 20, cacheMib << 20);
    }

    private Messages contents() {
        return new Messages(bytes, bytes, 0);
    }

    private Store openStore() throws IOException {
        return LocalStore.open(config(), StoreEnvironment.local(java.util.Objects.requireNonNull(directory)));
    }

    private void fill() throws Exception {
        Store store = openStore();
        store.createQueues(queues, 0).toCompletableFuture().get();
        Load load = new Load(queues, contents(), 1, 2000, 32);
        Producer.of(store, load, 0, messages, new LongAdder()).get(0).run();
        Metrics metrics = Metrics.of(store);
        out.printf(
                "filled: %,d MiB of log written, %,d sweep cycles done, %d MiB resident; killing it%n",
                metrics.get(StoreMetric.LOG_WRITTEN_BYTES) >> 20,
                metrics.get(StoreMetric.SWEEP_CYCLES),
                Machine.residentMib());
        awaitTheEnd();
    }

    private void open() throws Exception {
        long startNanos = System.nanoTime();
        Store store = openStore();
        double seconds = (System.nanoTime() - startNanos) / 1e9;
        long startedMillis = ManagementFactory.getRuntimeMXBean().getStartTime();
        double sinceStart = (System.currentTimeMillis() - startedMillis) / 1e3;
        long residentMib = Machine.residentMib();
        Metrics metrics = Metrics.of(store);
        out.printf(
                "opened: %.2f s after the start of its process, %.2f s for the store, %.2f s of that for replaying %,d MiB;"
                        + " %,d queues, %,d block files, %d MiB resident, at most %d%n",
                sinceStart,
                seconds,
                metrics.get(StoreMetric.REPLAY_NANOS) / 1e9,
                metrics.get(StoreMetric.REPLAYED_BYTES) >> 20,
                metrics.get(StoreMetric.QUEUES),
                metrics.get(StoreMetric.BLOCK_FILES),
                residentMib,
                Machine.peakResidentMib());
        check(store);
        awaitTheEnd();
    }

    /** Whatever was acknowledged is there: that is all of it. */
    private void check(Store store) throws IOException {
        LongAdder verified = new LongAdder();
        Checker checker = new Checker(store, contents(), 0, verified);
        long ends = 0;
        for (int queue = 0; queue < queues; queue++) {
            ends += store.endOffset(queue);
        }
        if (ends != messages) {
            throw new IllegalStateException("there are " + ends + " messages of " + messages);
        }
        for (int i = 0; i < CHECKS; i++) {
            checker.readWhole((int) ((long) i * queues / CHECKS));
        }
        out.printf("  all there; %,d of them read and verified%n", verified.sum());
    }

    private void awaitTheEnd() throws IOException {
        out.println(READY);
        out.flush();
        if (System.in.read() < 0) {
            Runtime.getRuntime().halt(1);
        }
    }
}
