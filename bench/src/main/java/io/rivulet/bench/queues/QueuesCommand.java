package io.rivulet.bench.queues;

import io.rivulet.store.Store;
import io.rivulet.store.StoreConfig;
import io.rivulet.store.StoreCounters;
import io.rivulet.store.StoreEnvironment;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
        name = "queues",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Put small messages into a million queues, check random places, read a part of the queues whole.",
            "Every message that is read is verified. The total is what the Tianchi middleware contest of 2018 counted:"
                    + " messages put, checked and read, over the seconds of the three phases.",
        })
public final class QueuesCommand implements Callable<Integer> {
    private static final int PROGRESS_SECONDS = 5;

    @Mixin
    private final QueuesOptions options = new QueuesOptions();

    @Spec
    private CommandSpec spec;

    private PrintWriter out = new PrintWriter(java.io.Writer.nullWriter());

    /** What a phase came to. */
    private record Phase(long messages, double seconds) {}

    /** A part of a phase that runs on a thread of its own. */
    private interface Part {
        void run() throws IOException;
    }

    @Override
    public Integer call() throws Exception {
        out = spec.commandLine().getOut();
        Path directory = options.directory() != null
                ? Files.createDirectories(options.directory())
                : Files.createTempDirectory("rivulet-bench");
        try {
            run(directory);
        } finally {
            if (!options.keep()) {
                delete(directory);
            }
        }
        return 0;
    }

    private void run(Path directory) throws Exception {
        out.printf(
                "%,d queues, %,d messages of %s, durability %s, %s%n",
                options.queues(), options.messages(), options.contents(), options.durability(), Machine.describe());
        reportDisk(directory);
        List<Phase> phases = new ArrayList<>();
        StoreConfig config = StoreConfig.DEFAULT
                .withLog(StoreConfig.DEFAULT
                        .log()
                        .withDurability(options.durability())
                        .withIoMode(options.ioMode()))
                .withMemory(options.tailBytes(), options.cacheBytes());
        try (Store store = Store.open(config, StoreEnvironment.local(directory))) {
            long startNanos = System.nanoTime();
            int first = store.createQueues(options.queues(), 0)
                    .toCompletableFuture()
                    .get();
            out.printf("create: %.2f s, resident %d MiB%n", secondsSince(startNanos), Machine.residentMib());
            phases.add(put(store, first));
            StoreCounters afterPut = store.counters();
            reportDisk(directory);
            report(afterPut, afterPut.logBytes());
            if (options.sweep()) {
                phases.add(sweep(store));
            }
            phases.add(check(store, first));
            phases.add(readWhole(store, first));
            reportReads(afterPut, store.counters(), phases);
        }
        total(phases);
        out.printf(
                "resident %d MiB, at most %d MiB; collections: %s%n",
                Machine.residentMib(), Machine.peakResidentMib(), Machine.collections());
        if (options.restart()) {
            restart(config, directory);
        }
    }

    // ---- the phases ----

    private Phase put(Store store, int first) throws Exception {
        LongAdder done = new LongAdder();
        List<Part> parts = new ArrayList<>();
        for (int i = 0; i < options.producers(); i++) {
            long count =
                    options.messages() / options.producers() + (i < options.messages() % options.producers() ? 1 : 0);
            parts.add(new Producer(store, options, first, i, count, done)::run);
        }
        return phase("put", parts, done);
    }

    private Phase sweep(Store store) throws Exception {
        return phase("sweep", List.of(() -> store.sweepEverything().join()), new LongAdder());
    }

    private Phase check(Store store, int first) throws Exception {
        LongAdder done = new LongAdder();
        int threads = options.readers();
        List<Part> parts = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            int seed = i;
            parts.add(() -> new Checker(store, options, first, done)
                    .checkRandomly(options.checks() / threads, options.queues(), seed));
        }
        return phase("check", parts, done);
    }

    private Phase readWhole(Store store, int first) throws Exception {
        LongAdder done = new LongAdder();
        int threads = options.readers();
        int wanted = (int) ((long) options.queues() * options.readPercent() / 100);
        List<Part> parts = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            int from = (int) ((long) wanted * i / threads);
            int to = (int) ((long) wanted * (i + 1) / threads);
            parts.add(() -> {
                Checker checker = new Checker(store, options, first, done);
                for (int n = from; n < to; n++) {
                    checker.readWhole((int) ((long) n * options.queues() / wanted));
                }
            });
        }
        return phase("read", parts, done);
    }

    private Phase phase(String name, List<Part> parts, LongAdder done) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(parts.size());
        double cpuBefore = Machine.cpuSeconds();
        long startNanos = System.nanoTime();
        try {
            List<Future<?>> running = new ArrayList<>();
            for (Part part : parts) {
                running.add(threads.submit(() -> {
                    part.run();
                    return true;
                }));
            }
            for (Future<?> part : running) {
                await(name, part, done, startNanos);
            }
        } finally {
            threads.shutdownNow();
        }
        double seconds = secondsSince(startNanos);
        double cpu = Machine.cpuSeconds() - cpuBefore;
        out.printf(
                "%s: %,d messages in %.2f s, %,.0f a second, %,.0f MiB/s; %.2f us of processor for each; resident %d MiB%n",
                name,
                done.sum(),
                seconds,
                done.sum() / seconds,
                done.sum() / seconds * options.contents().bytes() / (1 << 20),
                done.sum() == 0 ? 0 : cpu * 1e6 / done.sum(),
                Machine.residentMib());
        return new Phase(done.sum(), seconds);
    }

    private void await(String name, Future<?> part, LongAdder done, long startNanos)
            throws ExecutionException, InterruptedException {
        while (true) {
            try {
                part.get(PROGRESS_SECONDS, TimeUnit.SECONDS);
                return;
            } catch (TimeoutException e) {
                double seconds = secondsSince(startNanos);
                out.printf("  %s: %,d in %.0f s, %,.0f a second%n", name, done.sum(), seconds, done.sum() / seconds);
                out.flush();
            }
        }
    }

    // ---- the report ----

    private void report(StoreCounters counters, long logBytes) {
        double wire = (double) options.messages() * options.contents().bytes();
        out.printf(
                "log: %,d groups, %,d forces of %.2f ms, %.1f bytes a message (%.2fx), %,d MiB kept%n",
                counters.logGroups(),
                counters.logForces(),
                counters.logForces() == 0 ? 0 : counters.logForceNanos() / 1e6 / counters.logForces(),
                (double) logBytes / options.messages(),
                logBytes / wire,
                counters.logSizeBytes() >> 20);
        out.printf(
                "blocks: %,d files, %,d blocks of %,d bytes, %,d MiB, index resident %,d KiB; tail: %,d of %,d chunks%n",
                counters.blockFiles(),
                counters.blocks(),
                counters.blocks() == 0 ? 0 : counters.blockBytes() / counters.blocks(),
                counters.blockBytes() >> 20,
                counters.residentIndexBytes() >> 10,
                counters.tailUsedChunks(),
                counters.tailCapacityChunks());
    }

    private void reportDisk(Path directory) throws IOException {
        if (options.disk()) {
            out.printf(
                    "disk alone: %,.0f MiB/s in forced writes of 4 MiB, %,.0f MiB/s with one force at the end;"
                            + " memory copy: %,.0f MiB/s%n",
                    DiskSpeed.writeMibPerSecond(directory, true),
                    DiskSpeed.writeMibPerSecond(directory, false),
                    DiskSpeed.copyMibPerSecond());
        }
    }

    private void reportReads(StoreCounters before, StoreCounters after, List<Phase> phases) {
        long read = phases.stream().skip(1).mapToLong(Phase::messages).sum();
        long ios = after.cache().reads() - before.cache().reads();
        long hits = after.cache().hits().sum() - before.cache().hits().sum();
        long misses = after.cache().misses().sum() - before.cache().misses().sum();
        out.printf(
                "reads: %,d I/Os, %.4f a message, %,d MiB; cache hits %.1f%%%n",
                ios,
                (double) ios / Math.max(1, read),
                (after.cache().readBytes() - before.cache().readBytes()) >> 20,
                100.0 * hits / Math.max(1, hits + misses));
    }

    private void total(List<Phase> phases) {
        long messages = phases.stream().mapToLong(Phase::messages).sum();
        double seconds = phases.stream().mapToDouble(Phase::seconds).sum();
        out.printf("total: %,d messages in %.2f s: %,.0f TPS%n", messages, seconds, messages / seconds);
    }

    private void restart(StoreConfig config, Path directory) throws IOException {
        System.gc(); // the memory of the store that was closed goes with its buffers
        long startNanos = System.nanoTime();
        try (Store store = Store.open(config, StoreEnvironment.local(directory))) {
            out.printf("restart: %,d queues after %.2f s%n", store.liveQueues(), secondsSince(startNanos));
        }
    }

    private static double secondsSince(long startNanos) {
        return (System.nanoTime() - startNanos) / 1e9;
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> paths = Files.walk(directory)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
