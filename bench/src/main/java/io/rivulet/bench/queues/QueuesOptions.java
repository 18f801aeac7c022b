package io.rivulet.bench.queues;

import io.rivulet.store.Durability;
import io.rivulet.store.io.Disk.IoMode;
import io.rivulet.store.open.StoreConfig;
import java.util.Locale;
import picocli.CommandLine.Option;

/** The options of {@link QueuesCommand}, set by picocli. Not changed after that. */
final class QueuesOptions extends StoreOptions {
    @Option(names = "--messages", defaultValue = "100000000", description = "messages (default: ${DEFAULT-VALUE})")
    long messages;

    @Option(
            names = "--large-bytes",
            defaultValue = "1024",
            description = "bytes of a large message (default: ${DEFAULT-VALUE})")
    private int largeBytes;

    @Option(
            names = "--large-every",
            defaultValue = "1000",
            description = "one in so many messages is large, 0 for none (default: ${DEFAULT-VALUE})")
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
            description = "requests in flight of each producer (default: ${DEFAULT-VALUE})")
    private int requestsInFlight;

    @Option(
            names = "--checks",
            defaultValue = "1000000",
            description = "random index checks (default: ${DEFAULT-VALUE})")
    long checks;

    @Option(
            names = "--read-percent",
            defaultValue = "20",
            description = "percentage of the queues to read completely (default: ${DEFAULT-VALUE})")
    int readPercent;

    @Option(
            names = "--readers",
            defaultValue = "10",
            description = "threads that check and read; the contest had 10 (default: ${DEFAULT-VALUE})")
    int readers;

    @Option(
            names = "--durability",
            defaultValue = "fsync",
            description =
                    "fsync: a message survives a power failure; os: a kill; none: neither (default: ${DEFAULT-VALUE})")
    private String durability = "fsync";

    @Option(
            names = "--io",
            defaultValue = "direct",
            description =
                    "how the log is written: buffered, or direct, without the page cache (default: ${DEFAULT-VALUE})")
    private String io = "direct";

    @Option(
            names = "--cache-mib",
            defaultValue = "256",
            description = "memory of the cache (default: ${DEFAULT-VALUE})")
    private long cacheMib;

    @Option(names = "--sweep", description = "sweep all messages into block files before the reads, as a phase")
    boolean sweep;

    Messages contents() {
        return new Messages(bytes, largeBytes, largeEvery);
    }

    Durability durability() {
        return Durability.valueOf(durability.toUpperCase(Locale.ROOT));
    }

    StoreLoad load() {
        return new StoreLoad(queues, contents(), producers, messagesPerRequest, requestsInFlight);
    }

    StoreConfig store() {
        return memory(cacheMib)
                .withLog(StoreConfig.DEFAULT
                        .localLog()
                        .withDurability(durability())
                        .withIoMode(IoMode.valueOf(io.toUpperCase(Locale.ROOT))));
    }
}
