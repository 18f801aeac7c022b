package io.rivulet.bench.queues;

import io.rivulet.bench.lab.DataDirectory;
import io.rivulet.store.open.StoreConfig;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of a store and its queues, set by picocli. Not changed after that. */
class StoreOptions {
    @Option(names = "--queues", defaultValue = "1000000", description = "queues (default: ${DEFAULT-VALUE})")
    int queues;

    @Option(names = "--bytes", defaultValue = "58", description = "bytes of a message (default: ${DEFAULT-VALUE})")
    int bytes;

    @Option(names = "--tail-mib", defaultValue = "2048", description = "memory of the tail (default: ${DEFAULT-VALUE})")
    long tailMib;

    @Option(
            names = "--directory",
            description = "empty or new directory for the data, deleted at the end (default: a temporary one)")
    @Nullable
    Path directory;

    @Option(names = "--keep", description = "keep the data")
    private boolean keep;

    final DataDirectory data() throws IOException {
        return DataDirectory.of(directory, keep);
    }

    final StoreConfig memory(long cacheMib) {
        return StoreConfig.DEFAULT.withMemory(tailMib << 20, cacheMib << 20);
    }
}
