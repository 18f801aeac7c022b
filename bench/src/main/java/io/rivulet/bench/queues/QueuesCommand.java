package io.rivulet.bench.queues;

import io.rivulet.bench.lab.DataDirectory;
import io.rivulet.bench.lab.Machine;
import io.rivulet.bench.lab.Progress;
import io.rivulet.bench.lab.Threads;
import io.rivulet.bench.queues.QueuesReport.Phase;
import io.rivulet.store.Store;
import io.rivulet.store.open.LocalStore;
import io.rivulet.store.open.StoreEnvironment;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.LongAdder;
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
    private static final int COLD_QUEUES = 2000;

    @Mixin
    private final QueuesOptions options = new QueuesOptions();

    @Spec
    private CommandSpec spec;

    private PrintWriter out = new PrintWriter(java.io.Writer.nullWriter());

    /** A part of a phase that runs on a thread of its own. */
    private interface Part {
        void run() throws IOException;
    }

    @Override
    public Integer call() throws Exception {
        out = spec.commandLine().getOut();
        try (DataDirectory directory = DataDirectory.of(options.directory, options.keep)) {
            run(directory.path());
        }
        return 0;
    }

    private void run(Path directory) throws Exception {
        out.printf(
                "%,d queues, %,d messages of %s, durability %s, %s%n",
                options.queues, options.messages, options.contents(), options.durability(), Machine.describeWithHeap());
        QueuesReport report = new QueuesReport(
                out,
                options.messages,
                (double) options.messages * options.contents().bytes());
        List<Phase> phases = new ArrayList<>();
        try (Store store = LocalStore.open(options.store(), StoreEnvironment.local(directory))) {
            long heapBefore = Machine.liveHeapBytes();
            long startNanos = System.nanoTime();
            int first =
                    store.createQueues(options.queues, 0).toCompletableFuture().get();
            out.printf(
                    "create: %.2f s, %.1f bytes of heap a queue, resident %d MiB%n",
                    secondsSince(startNanos),
                    (double) (Machine.liveHeapBytes() - heapBefore) / options.queues,
                    Machine.residentMib());
            phases.add(put(store, first));
            report.log(Metrics.of(store));
            report.blocks(Metrics.of(store));
            if (options.sweep) {
                phases.add(sweep(store));
                report.blocks(Metrics.of(store));
            }
            Metrics before = Metrics.of(store);
            Phase cold = cold(store, first);
            report.reads("cold, queues here and there", Metrics.of(store).since(before), cold.messages());
            before = Metrics.of(store);
            phases.add(check(store, first));
            phases.add(readWhole(store, first));
            report.reads(
                    "reads",
                    Metrics.of(store).since(before),
                    phases.stream().skip(1).mapToLong(Phase::messages).sum());
            report.written(Metrics.of(store));
        }
        report.total(phases);
        report.machine();
    }

    // ---- the phases ----

    private Phase put(Store store, int first) throws Exception {
        LongAdder done = new LongAdder();
        List<Part> parts = new ArrayList<>();
        Producer.of(store, options.load(), first, options.messages, done).forEach(part -> parts.add(part::run));
        return phase("put", parts, done);
    }

    private Phase sweep(Store store) throws Exception {
        return phase("sweep", List.of(() -> store.sweepEverything().join()), new LongAdder());
    }

    private Phase check(Store store, int first) throws Exception {
        LongAdder done = new LongAdder();
        int threads = options.readers;
        List<Part> parts = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            int seed = i;
            parts.add(() -> new Checker(store, options.contents(), first, done)
                    .checkRandomly(options.checks / threads, options.queues, seed));
        }
        return phase("check", parts, done);
    }

    /** A few queues that nobody has read; not a phase of the contest's. */
    private Phase cold(Store store, int first) throws Exception {
        LongAdder done = new LongAdder();
        SplittableRandom random = new SplittableRandom(COLD_QUEUES);
        Part part = () -> {
            Checker checker = new Checker(store, options.contents(), first, done);
            for (int n = 0; n < Math.min(COLD_QUEUES, options.queues); n++) {
                checker.readWhole(random.nextInt(options.queues));
            }
        };
        return phase("cold", List.of(part), done);
    }

    private Phase readWhole(Store store, int first) throws Exception {
        LongAdder done = new LongAdder();
        int threads = options.readers;
        int wanted = (int) ((long) options.queues * options.readPercent / 100);
        List<Part> parts = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            int from = (int) ((long) wanted * i / threads);
            int to = (int) ((long) wanted * (i + 1) / threads);
            parts.add(() -> {
                Checker checker = new Checker(store, options.contents(), first, done);
                for (int n = from; n < to; n++) {
                    checker.readWhole((int) ((long) n * options.queues / wanted));
                }
            });
        }
        return phase("read", parts, done);
    }

    private Phase phase(String name, List<Part> parts, LongAdder done) throws Exception {
        double cpuBefore = Machine.cpuSeconds();
        double seconds;
        try (Progress progress = new Progress(out, name, done)) {
            Threads.run(parts.size(), i -> parts.get(i).run());
            seconds = progress.seconds();
        }
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

    private static double secondsSince(long startNanos) {
        return (System.nanoTime() - startNanos) / 1e9;
    }
}
