package io.rivulet.bench.queues;

import io.rivulet.store.Durability;
import io.rivulet.store.io.Disk.IoMode;
import io.rivulet.store.open.StoreConfig;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of {@link QueuesCommand}, as picocli fills them. Not changed after that. */
final class QueuesOptions {
    @Option(names = "--queues", defaultValue = "1000000", description = "queues (default: ${DEFAULT-VALUE})")
    int queues;

    @Option(names = "--messages", defaultValue = "100000000", description = "messages (default: ${DEFAULT-VALUE})")
    long messages;

    @Option(names = "--bytes", defaultValue = "58", description = "bytes of a message (default: ${DEFAULT-VALUE})")
    private int bytes;

    @Option(
            names = "--large-bytes",
            defaultValue = "1024",
            description = "bytes of a large one (default: ${DEFAULT-VALUE})")
    private int largeBytes;

    @Option(
            names = "--large-every",
            defaultValue = "1000",
            description = "one in so many is large, 0 for none (default: ${DEFAULT-VALUE})")
    private int largeEvery;

    @Option(names = "--producers", defaultValue = "2", description = "producer threads (default: ${DEFAULT-VALUE})")
    private int producers;

    @Option(
            names = "--per-request",
            defaultValue = "2000",
            description = "messages in a request (default: ${DEFAULT-VALUE})")
    private int messagesPerRequest;

    @Option(
            names = "--in-flight",
            defaultValue = "32",
            description = "requests on their way for each producer (default: ${DEFAULT-VALUE})")
    private int requestsInFlight;

    @Option(
            names = "--checks",
            defaultValue = "1000000",
            description = "random index checks (default: ${DEFAULT-VALUE})")
    long checks;

    @Option(
            names = "--read-percent",
            defaultValue = "20",
            description = "share of the queues read whole (default: ${DEFAULT-VALUE})")
    int readPercent;

    @Option(
            names = "--readers",
            defaultValue = "10",
            description = "threads that check and read, as many as the contest had (default: ${DEFAULT-VALUE})")
    int readers;

    @Option(
            names = "--durability",
            defaultValue = "fsync",
            description =
                    "fsync: a message counts when it survives a power cut; os: a kill; none (default: ${DEFAULT-VALUE})")
    private String durability = "fsync";

    @Option(
            names = "--io",
            defaultValue = "direct",
            description = "how the log is written: buffered, or direct past the page cache (default: ${DEFAULT-VALUE})")
    private String io = "direct";

    @Option(names = "--tail-mib", defaultValue = "2048", description = "memory of the tail (default: ${DEFAULT-VALUE})")
    private long tailMib;

    @Option(
            names = "--cache-mib",
            defaultValue = "256",
            description = "memory of the cache (default: ${DEFAULT-VALUE})")
    private long cacheMib;

    @Option(
            names = "--directory",
            description =
                    "empty or new directory for the data; deleted afterwards unless --keep (default: a temporary one)")
    @Nullable
    Path directory;

    @Option(names = "--keep", description = "keep the data")
    boolean keep;

    @Option(names = "--sweep", description = "sweep everything into block files before reading, and count it in")
    boolean sweep;

    Messages contents() {
        return new Messages(bytes, largeBytes, largeEvery);
    }

    Durability durability() {
        return Durability.valueOf(durability.toUpperCase(Locale.ROOT));
    }

    Load load() {
        return new Load(queues, contents(), producers, messagesPerRequest, requestsInFlight);
    }

    StoreConfig store() {
        return StoreConfig.DEFAULT
                .withLog(StoreConfig.DEFAULT
                        .log()
                        .withDurability(durability())
                        .withIoMode(IoMode.valueOf(io.toUpperCase(Locale.ROOT))))
                .withMemory(tailMib << 20, cacheMib << 20);
    }
}
