package io.rivulet.store.maintenance;

import io.rivulet.store.block.read.QueueView;
import java.io.IOException;
import java.util.function.LongSupplier;

/** Removes block files without any record that can still be read. Owned by: background thread. */
public final class ObsoleteFiles {
    private final BlockRegistry registry;
    private final QueueView queues;
    private final LongSupplier removals;
    private long removalsSeen;

    /** @param removals grows when records become unreadable: queues are deleted or trimmed */
    public ObsoleteFiles(BlockRegistry registry, QueueView queues, LongSupplier removals) {
        this.registry = registry;
        this.queues = queues;
        this.removals = removals;
    }

    /** Checks the files if anything was deleted or trimmed since the last call. Returns true if files were removed. */
    boolean remove() throws IOException {
        long now = removals.getAsLong();
        if (now == removalsSeen) {
            return false;
        }
        boolean any = registry.removeObsolete(queues);
        removalsSeen = now;
        return any;
    }
}
