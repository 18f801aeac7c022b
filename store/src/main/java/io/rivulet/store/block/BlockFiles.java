package io.rivulet.store.block;

import io.rivulet.store.cache.PageCache;
import io.rivulet.store.io.Disk;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/**
 * All block files of a store. The set is immutable and replaced as a whole, so a reader sees either what was before a
 * merge or what is after it.
 *
 * <p>Crash policy: the manifest says which files belong to the store; a start deletes or
 * sets aside the others. To change the set: finish the new file, write the manifest, {@link #add}, then {@link #remove} what
 * the new file has superseded. A crash anywhere between leaves a set that reads the same.
 *
 * <p>{@link #add} and {@link #remove}: background thread. All else: any thread; what {@link #search} gives may wait for the disk.
 */
public final class BlockFiles implements AutoCloseable {
    private volatile BlockFileSet set = BlockFileSet.EMPTY;

    /** Opens the files that the manifest names. Three reads for each. */
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

    /** Whether these files hold everything that is still wanted of another file: no queue of it is left to it. */
    public boolean supersede(BlockFileFooter footer) {
        return Supersession.of(footer, files().stream().map(BlockFile::footer).toList())
                .isComplete();
    }

    /** Shows a file to readers. */
    public void add(BlockFile file) {
        List<BlockFile> files = new ArrayList<>(set.files());
        files.add(file);
        set = BlockFileSet.of(files);
    }

    /** Takes files away from readers, and deletes each once the last read of it is over. */
    public void remove(Collection<BlockFile> removed) {
        List<BlockFile> files = new ArrayList<>(set.files());
        if (!files.removeAll(Set.copyOf(removed)) && !removed.isEmpty()) {
            throw new IllegalArgumentException("none of these is here: " + removed);
        }
        set = BlockFileSet.of(files);
        removed.forEach(file -> file.retire(true));
    }

    /** The files as they are now, kept open until it is closed. */
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

    /** Files of which merged ones now hold everything that is still wanted: to be taken off the manifest and removed. */
    public List<BlockFile> superseded() {
        return set.superseded();
    }

    /**
     * Files in which there is nothing that anybody can still read: to be taken off the manifest and removed. A file whose
     * directory can't be read is none of them: whoever needs it will be told.
     */
    public List<BlockFile> dead(QueueView queues) {
        List<BlockFile> superseded = set.superseded();
        List<BlockFileFooter> footers =
                set.files().stream().map(BlockFile::footer).toList();
        List<BlockFile> dead = new ArrayList<>();
        for (BlockFile file : set.files()) {
            // Where compaction has nothing that is wanted, nothing is wanted of what it replaced; a merge may have
            // gaps.
            boolean takesAPlace = !file.footer().isCompacted()
                    && footers.stream().anyMatch(other -> Supersession.takesPlaceOf(file.footer(), other));
            Supersession replaced = Supersession.of(file.footer(), footers);
            QueueView wanted = id -> replaced.covers(id) ? QueueView.DELETED : queues.startOffset(id);
            if (!superseded.contains(file) && !takesAPlace && isDead(file, wanted)) {
                dead.add(file);
            }
        }
        return dead;
    }

    private static boolean isDead(BlockFile file, QueueView queues) {
        try {
            return file.isDead(queues);
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * A search for blocks of the queue, one after the other; it passes over files in which everything is older than the timestamp. Costs
     * one directory page for each file that is probed: to begin with about the logarithm of those that have the queue, then one for
     * each block.
     */
    BlockSearch search(int queueId, long timestampDelta, VerifiedPages known) {
        return new BlockSearch(this, queueId, timestampDelta, known);
    }

    /** The files that may hold something of the queue, oldest first. */
    List<BlockFile> candidates(int queueId, long timestampDelta) {
        return set.candidates(queueId, timestampDelta);
    }

    /** Shows every block that reads may come upon, file by file from the oldest on. */
    public void forEachVisibleBlock(BlockVisitor visitor) throws IOException {
        set.forEachBlock(visitor::block);
    }

    /** Is told of a block, and the file that it is in. */
    public interface BlockVisitor {
        void block(BlockFile file, BlockEntry block) throws IOException;
    }

    /** Shows the blocks of some queues, whose ids ascend, file by file from the oldest on. */
    void forEachBlockOf(int[] queueIds, int from, int to, BlockFileSet.BlockVisitor visitor) throws IOException {
        BlockFileSet current = set;
        while (!current.acquireAll()) {
            current = set;
        }
        try {
            current.forEachBlockOf(queueIds, from, to, visitor);
        } finally {
            current.releaseAll();
        }
    }

    @Override
    public void close() {
        List<BlockFile> files = set.files();
        set = BlockFileSet.EMPTY;
        files.forEach(file -> file.retire(false));
    }
}
