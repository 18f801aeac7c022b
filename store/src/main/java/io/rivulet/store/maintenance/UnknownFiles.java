package io.rivulet.store.maintenance;

import io.rivulet.store.block.format.BlockFileId;
import io.rivulet.store.block.read.BlockFile;
import io.rivulet.store.block.read.BlockFiles;
import io.rivulet.store.cache.PageCache;
import io.rivulet.store.checkpoint.Manifest;
import io.rivulet.store.io.Disk;
import io.rivulet.store.io.SetAside;
import io.rivulet.store.io.StartRefusedException;
import io.rivulet.store.queue.QueueTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Block files that the manifest does not name. A crash leaves unfinished files, and files that were finished or
 * replaced just before. Others were copied there by hand, or the manifest is an older copy. Files that are provably
 * worthless are deleted; all others are set aside. Files with other names are no block files and stay as they are.
 *
 * <table> <caption>When a file may be deleted</caption>
 * <tr><td>its name</td><td>only unfinished files have such a name</td></tr>
 * <tr><td>superseded</td><td>according to the footers, files in the manifest hold all its needed blocks</td></tr>
 * <tr><td>dead</td><td>each block belongs to a deleted queue, or is before the start of its queue</td></tr>
 * <tr><td>replayed</td><td>the manifest has not assigned its number, and each block was just replayed from the
 * log</td></tr>
 * </table>
 *
 * <p>Owned by: the thread that opens the store. It decides when everything else has been read, and changes nothing
 * before {@link #settle}.
 */
public final class UnknownFiles {
    private static final Logger LOG = LoggerFactory.getLogger(UnknownFiles.class);

    /** Numbers grow by one for each file, so a number as large as this was not assigned by a store. */
    private static final long NO_NUMBER = 100_000_000_000L;

    private enum Worth {
        NONE,
        UNKNOWN,
        /** It holds offsets that the store does not have. */
        NEWER
    }

    private final Disk disk;
    private final List<String> names = new ArrayList<>();
    private final long firstUnseenNumber;
    private final List<String> worthless = new ArrayList<>();
    private final List<String> unknown = new ArrayList<>();

    /** Lists the files. Must run before the first new file, which must not get the number of an unknown one. */
    public UnknownFiles(Disk disk, Manifest manifest) throws IOException {
        this.disk = disk;
        this.firstUnseenNumber = manifest.nextFileNumber();
        for (String name : disk.list()) {
            boolean inManifest = BlockFileId.isName(name) && manifest.files().contains(BlockFileId.fileNumber(name));
            if (BlockFileId.isUnfinishedName(name) || (BlockFileId.isName(name) && !inManifest)) {
                names.add(name);
            }
        }
    }

    /** The greatest number in their names; 0 if there are none. */
    public long greatestNumber() {
        return names.stream()
                .mapToLong(BlockFileId::fileNumber)
                .filter(number -> number < NO_NUMBER)
                .max()
                .orElse(0);
    }

    /**
     * Decides about the files. Must run after the replay.
     *
     * @param refusesNewer whether a file with newer offsets than the store proves that durable records are lost
     */
    public void judge(BlockRegistry registry, QueueTable table, PageCache cache, boolean refusesNewer)
            throws IOException {
        for (String name : names) {
            Worth worth = BlockFileId.isUnfinishedName(name) ? Worth.NONE : worth(name, registry, table, cache);
            if (worth == Worth.NEWER && refusesNewer) {
                throw new StartRefusedException("blocks/" + name + " is not in the manifest, and has offsets that"
                        + " the log does not have: manifest or log are older copies, or damaged");
            }
            (worth == Worth.NONE ? worthless : unknown).add(name);
        }
    }

    private Worth worth(String name, BlockRegistry registry, QueueTable table, PageCache cache) {
        BlockFileId id = new BlockFileId(registry.storeId(), BlockFileId.fileNumber(name));
        BlockFile file;
        try {
            file = BlockFile.open(disk, id, cache);
        } catch (IOException e) {
            return Worth.UNKNOWN;
        }
        try {
            return worth(file, registry.files(), table);
        } catch (IOException e) {
            return Worth.UNKNOWN;
        } finally {
            file.retire(false);
        }
    }

    private Worth worth(BlockFile file, BlockFiles files, QueueTable table) throws IOException {
        boolean[] newer = {false};
        boolean[] wanted = {false};
        boolean[] replayed = {file.fileNumber() >= firstUnseenNumber};
        file.forEachBlock(block -> {
            int queueId = block.queueId();
            if (queueId >= table.idLimit()) {
                newer[0] = true;
            } else if (table.exists(queueId)) {
                newer[0] |= block.endOffset() > table.endOffset(queueId);
                wanted[0] |= block.endOffset() > table.startOffset(queueId);
                replayed[0] &= block.endOffset() <= table.startOffset(queueId)
                        || block.baseOffset() >= table.tailStart(queueId);
            }
        });
        if (newer[0]) {
            return Worth.NEWER;
        }
        return !wanted[0] || replayed[0] || files.supersede(file.footer()) ? Worth.NONE : Worth.UNKNOWN;
    }

    /** Deletes worthless files and sets the others aside. */
    public void settle(SetAside aside, long nowMillis) throws IOException {
        for (String name : worthless) {
            disk.delete(name);
        }
        if (!worthless.isEmpty()) {
            LOG.info(
                    "Deleted from blocks: {}. A crash left these files, and their records are stored elsewhere",
                    worthless);
            disk.syncDirectory();
        }
        for (String name : unknown) {
            LOG.warn(
                    "blocks/{} is not in the manifest and its contents are unknown: moved to {}",
                    name,
                    aside.move("blocks", name, nowMillis));
        }
    }
}
