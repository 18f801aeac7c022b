package io.rivulet.store.maintenance;

import io.rivulet.store.block.QueueView;
import java.io.IOException;
import java.util.function.LongSupplier;

/** Gives up block files in which there is nothing that anybody may still read. Owned by: background thread. */
public final class ObsoleteFiles {
    private final BlockRegistry registry;
    private final QueueView queues;
    private final LongSupplier removals;
    private long removalsSeen;

    /** @param removals grows when something can't be read any more */
    public ObsoleteFiles(BlockRegistry registry, QueueView queues, LongSupplier removals) {
        this.registry = registry;
        this.queues = queues;
        this.removals = removals;
    }

    /** Looks at the files only if something was removed since the last time. True when some went. */
    boolean remove() throws IOException {
        long now = removals.getAsLong();
        if (now == removalsSeen) {
            return false;
        }
        boolean any = registry.removeDead(queues);
        removalsSeen = now;
        return any;
    }
}
