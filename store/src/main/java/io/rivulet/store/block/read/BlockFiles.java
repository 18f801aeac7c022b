package io.rivulet.store.block.read;

import io.rivulet.store.block.format.BlockFileFooter;
import io.rivulet.store.block.format.BlockFileId;
import io.rivulet.store.block.format.BlockFileOrigin;
import io.rivulet.store.block.format.Supersession;
import io.rivulet.store.cache.PageCache;
import io.rivulet.store.io.Disk;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/**
 * All block files of a store. The set is immutable and replaced as a whole, so a reader uses either the files before a
 * merge or the files after it.
 *
 * <p>Crash policy: the manifest lists the files of the store; a start deletes the others or sets them aside. To change
 * the set: finish the new file, write the manifest, {@link #add} the file, then {@link #remove} the files that it
 * replaces. After a crash between these steps, reads return the same.
 *
 * <p>{@link #add} and {@link #remove}: background thread. All else: any thread. A {@link #search} may wait for the
 * disk.
 */
public final class BlockFiles implements AutoCloseable {
    private volatile BlockFileSet set = BlockFileSet.EMPTY;

    /** Opens the files that the manifest names, with three reads for each. */
    public static BlockFiles open(Disk disk, Collection<BlockFileId> ids, PageCache cache) throws IOException {
        BlockFiles files = new BlockFiles();
        List<BlockFile> opened = new ArrayList<>();
        try {
            for (BlockFileId id : ids) {
                opened.add(BlockFile.open(disk, id, cache));
            }
        } catch (IOException | RuntimeException | Error e) {
            opened.forEach(file -> file.retire(false));
            throw e;
        }
        files.set = BlockFileSet.of(opened);
        return files;
    }

    /** Whether these files hold everything that is still needed of another file. */
    public boolean supersede(BlockFileFooter footer) {
        return Supersession.of(footer, footers()).isComplete();
    }

    /** Makes a file visible to readers. */
    public void add(BlockFile file) {
        List<BlockFile> files = new ArrayList<>(set.files());
        files.add(file);
        set = BlockFileSet.of(files);
    }

    /** Removes files from the set, and deletes each after its last read. */
    public void remove(Collection<BlockFile> removed) {
        List<BlockFile> files = new ArrayList<>(set.files());
        if (!files.removeAll(Set.copyOf(removed)) && !removed.isEmpty()) {
            throw new IllegalArgumentException("none of these is here: " + removed);
        }
        set = BlockFileSet.of(files);
        removed.forEach(file -> file.retire(true));
    }

    /** The current files, kept open until the snapshot is closed. */
    public BlockSnapshot snapshot() {
        BlockFileSet current = set;
        while (!current.acquireAll()) {
            current = set;
        }
        return new BlockSnapshot(current);
    }

    /** Oldest first. */
    public List<BlockFile> files() {
        return set.files();
    }

    public List<BlockFileFooter> footers() {
        return files().stream().map(BlockFile::footer).toList();
    }

    /** The files that the sweep wrote in this cycle. */
    public List<BlockFile> ofSweep(long cycle) {
        return files().stream()
                .filter(file -> file.footer().level() == BlockFileOrigin.SWEEP_LEVEL)
                .filter(file -> file.footer().lastCycle() == cycle)
                .toList();
    }

    /** The first cycle without files that is not below the given one. */
    public long nextCycle(long lowest) {
        return footers().stream().mapToLong(footer -> footer.lastCycle() + 1).reduce(lowest, Math::max);
    }

    /** Files whose needed blocks are all in merged files: to be removed from the manifest and then from this set. */
    public List<BlockFile> superseded() {
        return set.superseded();
    }

    /**
     * Files without a block that can still be read: to be removed from the manifest and then from this set. Leaves out
     * a file whose directory can't be read; a read that needs the file reports that.
     */
    public List<BlockFile> dead(QueueView queues) {
        List<BlockFile> superseded = set.superseded();
        List<BlockFileFooter> footers = footers();
        List<BlockFile> dead = new ArrayList<>();
        for (BlockFile file : set.files()) {
            Supersession replaced = Supersession.of(file.footer(), footers);
            QueueView wanted = id -> replaced.covers(id) ? QueueView.DELETED : queues.startOffset(id);
            if (!superseded.contains(file) && isDead(file, wanted) && !hidesSomething(file.footer(), queues)) {
                dead.add(file);
            }
        }
        return dead;
    }

    /** Whether other files have blocks that would be found again without this one. */
    private boolean hidesSomething(BlockFileFooter cover, QueueView queues) {
        QueueView hidden =
                id -> cover.coverFrom() <= id && id <= cover.coverTo() ? queues.startOffset(id) : QueueView.DELETED;
        return set.files().stream()
                .anyMatch(file -> Supersession.takesPlaceOf(cover, file.footer()) && !isDead(file, hidden));
    }

    private static boolean isDead(BlockFile file, QueueView queues) {
        try {
            return file.isDead(queues);
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * A search for blocks of the queue, one after the other. It skips files in which everything is older than the
     * timestamp. Reads one directory page for each file that it probes: for the first block about log2 of the files
     * that have the queue, then one for each block.
     */
    BlockSearch search(int queueId, long timestampDelta, VerifiedPages known) {
        return new BlockSearch(this, queueId, timestampDelta, known);
    }

    /** The files that may hold records of the queue, oldest first. */
    List<BlockFile> candidates(int queueId, long timestampDelta) {
        return set.candidates(queueId, timestampDelta);
    }

    /** Visits every block that a read may find, file by file, oldest first. */
    public void forEachVisibleBlock(BlockVisitor visitor) throws IOException {
        set.forEachBlock(visitor);
    }

    /** Visits the blocks of some queues, whose ids ascend, file by file, oldest first. */
    void forEachBlockOf(int[] queueIds, int from, int to, BlockVisitor visitor) throws IOException {
        try (BlockSnapshot snapshot = snapshot()) {
            snapshot.forEachBlockOf(queueIds, from, to, visitor);
        }
    }

    @Override
    public void close() {
        List<BlockFile> files = set.files();
        set = BlockFileSet.EMPTY;
        files.forEach(file -> file.retire(false));
    }
}
