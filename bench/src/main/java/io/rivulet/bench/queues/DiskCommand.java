package io.rivulet.bench.queues;

import io.rivulet.bench.lab.BenchCommand;
import io.rivulet.bench.lab.DataDirectory;
import io.rivulet.bench.lab.Machine;
import io.rivulet.store.Store;
import io.rivulet.store.StoreMetric;
import io.rivulet.store.open.LocalStore;
import io.rivulet.store.open.StoreConfig;
import io.rivulet.store.open.StoreEnvironment;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "disk",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Append large batches to one queue, in turns with writes to the disk alone, and print the ratios.",
            "The writes to the disk alone are like the log's: direct, 4 MiB at a time into new files, each forced"
                    + " while the next ones are written.",
        })
public final class DiskCommand extends BenchCommand {
    @Option(
            names = "--rounds",
            defaultValue = "10",
            description = "rounds; the order changes with each (default: ${DEFAULT-VALUE})")
    private int rounds;

    @Option(
            names = "--mib",
            defaultValue = "1024",
            description = "MiB to write in each turn; kept until the end (default: ${DEFAULT-VALUE})")
    private int mib;

    @Option(names = "--bytes", defaultValue = "32768", description = "bytes of a batch (default: ${DEFAULT-VALUE})")
    private int bytes;

    @Option(
            names = "--directory",
            description = "empty or new directory for the data, deleted at the end (default: a temporary one)")
    private @Nullable Path directory;

    @Override
    public Integer call() throws Exception {
        PrintWriter out = out();
        out.printf("1 queue, batches of %,d bytes, %,d MiB a turn, %s%n", bytes, mib, Machine.describeWithHeap());
        StoreConfig config = StoreConfig.DEFAULT;
        try (DataDirectory data = DataDirectory.of(directory, false);
                Store store = LocalStore.open(
                        config,
                        StoreEnvironment.local(
                                Files.createDirectories(data.path().resolve("store"))))) {
            store.createQueues(1, 0).toCompletableFuture().get();
            DiskSpeed disk =
                    new DiskSpeed(data.path().resolve("alone"), config.log().groupCount());
            out.printf("memory copy: %,.0f MiB/s%n", disk.copyMibPerSecond());
            double[] ratios = new double[rounds];
            StoreMetrics before = StoreMetrics.of(store);
            for (int round = 0; round < rounds; round++) {
                boolean diskFirst = round % 2 == 0;
                double alone = diskFirst ? disk.mibPerSecond((long) mib << 20) : 0;
                double cpuBefore = Machine.cpuSeconds();
                double put = put(store);
                double cpu = Machine.cpuSeconds() - cpuBefore;
                alone = diskFirst ? alone : disk.mibPerSecond((long) mib << 20);
                ratios[round] = put / alone;
                out.printf(
                        "round %d: store %,.0f MiB/s (%.1f us of CPU a batch), disk alone %,.0f MiB/s, ratio %.2f%n",
                        round + 1, put, cpu * 1e6 / batches(), alone, ratios[round]);
                out.flush();
            }
            StoreMetrics written = StoreMetrics.of(store).since(before);
            Arrays.sort(ratios);
            out.printf(
                    "ratio: median %.2f, range %.2f to %.2f; %.3f bytes written to log and block files for each byte%n",
                    ratios[rounds / 2],
                    ratios[0],
                    ratios[rounds - 1],
                    (double) (written.get(StoreMetric.LOG_WRITTEN_BYTES)
                                    + written.get(StoreMetric.SWEPT_BYTES)
                                    + written.get(StoreMetric.MERGED_BYTES))
                            / (rounds * batches() * bytes));
        }
        return 0;
    }

    private long batches() {
        return ((long) mib << 20) / bytes;
    }

    private double put(Store store) {
        StoreLoad load = new StoreLoad(1, new Messages(bytes, bytes, 0), 1, 32, 64);
        LongAdder done = new LongAdder();
        Producer producer = Producer.of(store, load, 0, batches(), done).get(0);
        long startNanos = System.nanoTime();
        producer.run();
        return (double) mib * 1e9 / (System.nanoTime() - startNanos);
    }
}
