package io.rivulet.bench.queues;

import io.rivulet.bench.lab.BenchCommand;
import io.rivulet.bench.lab.DataDirectory;
import io.rivulet.bench.lab.Machine;
import io.rivulet.bench.lab.Progress;
import io.rivulet.bench.lab.Threads;
import io.rivulet.bench.queues.QueuesReport.Phase;
import io.rivulet.store.Store;
import io.rivulet.store.open.LocalStore;
import io.rivulet.store.open.StoreEnvironment;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.LongAdder;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "queues",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Append small messages to a million queues, check random offsets, and read a part of the queues.",
            "Verifies each message that it reads. The total is that of the Tianchi middleware contest of 2018:"
                    + " messages put, checked and read, divided by the seconds of these three phases.",
        })
public final class QueuesCommand extends BenchCommand {
    private static final int COLD_QUEUES = 2000;

    @Mixin
    private final QueuesOptions options = new QueuesOptions();

    @Override
    public Integer call() throws Exception {
        try (DataDirectory directory = options.data()) {
            run(directory.path());
        }
        return 0;
    }

    private void run(Path directory) throws Exception {
        PrintWriter out = out();
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
            report.log(StoreMetrics.of(store));
            report.blocks(StoreMetrics.of(store));
            if (options.sweep) {
                phases.add(sweep(store));
                report.blocks(StoreMetrics.of(store));
            }
            StoreMetrics before = StoreMetrics.of(store);
            Phase cold = cold(store, first);
            report.reads("cold, random queues", StoreMetrics.of(store).since(before), cold.messages());
            before = StoreMetrics.of(store);
            phases.add(check(store, first));
            phases.add(readWhole(store, first));
            report.reads(
                    "reads",
                    StoreMetrics.of(store).since(before),
                    phases.stream().skip(1).mapToLong(Phase::messages).sum());
            report.written(StoreMetrics.of(store));
        }
        report.total(phases);
        report.machine();
    }

    // ---- the phases ----

    private Phase put(Store store, int first) throws Exception {
        LongAdder done = new LongAdder();
        List<Producer> producers = Producer.of(store, options.load(), first, options.messages, done);
        return phase("put", producers.size(), i -> producers.get(i).run(), done);
    }

    private Phase sweep(Store store) throws Exception {
        return phase("sweep", 1, i -> store.sweepEverything().join(), new LongAdder());
    }

    private Phase check(Store store, int first) throws Exception {
        LongAdder done = new LongAdder();
        return phase(
                "check",
                options.readers,
                seed -> new Checker(store, options.contents(), first, done)
                        .checkRandomly(options.checks / options.readers, options.queues, seed),
                done);
    }

    /** Reads a few queues for the first time. The contest did not have this phase. */
    private Phase cold(Store store, int first) throws Exception {
        LongAdder done = new LongAdder();
        SplittableRandom random = new SplittableRandom(COLD_QUEUES);
        Threads.Part part = i -> {
            Checker checker = new Checker(store, options.contents(), first, done);
            for (int n = 0; n < Math.min(COLD_QUEUES, options.queues); n++) {
                checker.readWhole(random.nextInt(options.queues));
            }
        };
        return phase("cold", 1, part, done);
    }

    private Phase readWhole(Store store, int first) throws Exception {
        LongAdder done = new LongAdder();
        long wanted = (long) options.queues * options.readPercent / 100;
        Threads.Part part = i -> {
            Checker checker = new Checker(store, options.contents(), first, done);
            for (long n = wanted * i / options.readers; n < wanted * (i + 1) / options.readers; n++) {
                checker.readWhole((int) (n * options.queues / wanted));
            }
        };
        return phase("read", options.readers, part, done);
    }

    private Phase phase(String name, int threads, Threads.Part part, LongAdder done) throws Exception {
        double cpuBefore = Machine.cpuSeconds();
        double seconds;
        try (Progress progress = new Progress(out(), name, done)) {
            Threads.run(threads, part);
            seconds = progress.seconds();
        }
        double cpu = Machine.cpuSeconds() - cpuBefore;
        out().printf(
                        "%s: %,d messages in %.2f s, %,.0f a second, %,.0f MiB/s; %.2f us of CPU each; RSS %d MiB%n",
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
