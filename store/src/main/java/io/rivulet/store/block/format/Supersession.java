package io.rivulet.store.block.format;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * In which queue ranges files of a higher level replace a file.
 *
 * <p>Immutable.
 */
public final class Supersession {
    private final BlockFileFooter file;
    private final List<BlockFileFooter> byFirstQueue;

    private Supersession(BlockFileFooter file, List<BlockFileFooter> byFirstQueue) {
        this.file = file;
        this.byFirstQueue = byFirstQueue;
    }

    public static Supersession of(BlockFileFooter file, Collection<BlockFileFooter> all) {
        return new Supersession(
                file,
                all.stream()
                        .filter(other -> takesPlaceOf(other, file))
                        .sorted(Comparator.comparingInt(BlockFileFooter::coverFrom))
                        .toList());
    }

    /** Whether {@code merged} replaces {@code file} for the queues that it covers. */
    public static boolean takesPlaceOf(BlockFileFooter merged, BlockFileFooter file) {
        return merged.level() > file.level()
                && merged.firstCycle() <= file.firstCycle()
                && merged.lastCycle() >= file.lastCycle();
    }

    public boolean covers(int queueId) {
        for (BlockFileFooter merged : byFirstQueue) {
            if (merged.coverFrom() <= queueId && queueId <= merged.coverTo()) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether every queue that the file may hold is covered. A merged file stays as long as a file that it replaces
     * exists.
     */
    public boolean isComplete() {
        long uncoveredFrom = file.minQueueId();
        for (BlockFileFooter merged : byFirstQueue) {
            if (merged.coverFrom() <= uncoveredFrom) {
                uncoveredFrom = Math.max(uncoveredFrom, merged.coverTo() + 1L);
            }
        }
        return !byFirstQueue.isEmpty() && uncoveredFrom > file.maxQueueId();
    }
}
