package io.rivulet.store.block.read;

import io.rivulet.store.block.format.BlockFileFooter;
import io.rivulet.store.block.format.BlockFileLayout;
import io.rivulet.store.block.format.DirectoryPage;
import io.rivulet.store.block.format.QueueFilter;
import io.rivulet.store.io.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The part of a file's index that is always in memory: filter and fence.
 *
 * <p>Crash policy: checksummed; both are functions of the directory and can be rebuilt from it.
 *
 * <p>Immutable.
 *
 * @param rebuilt whether they were rebuilt from the directory
 */
record ResidentIndex(QueueFilter filter, Fence fence, boolean rebuilt) {

    /** @throws BlockReadException if one of them is damaged or can't be read */
    static ResidentIndex read(DiskFile file, BlockFileFooter footer) throws IOException {
        ByteBuffer index = ByteBuffer.allocate(footer.filterBytes() + footer.fenceBytes());
        BlockFile.readFully(file, footer.filterStart(), index);
        index.flip();
        int fenceFrom = footer.filterBytes();
        if (BlockFileLayout.crc(index, 0, fenceFrom) != footer.filterCrc()) {
            throw BlockReadException.corrupt(file.name(), footer.filterStart(), "checksum of the filter");
        }
        if (BlockFileLayout.crc(index, fenceFrom, index.limit()) != footer.fenceCrc()) {
            throw BlockReadException.corrupt(file.name(), footer.fenceStart(), "checksum of the fence");
        }
        byte[] filter = new byte[fenceFrom];
        index.get(filter);
        return new ResidentIndex(
                new QueueFilter(footer.minQueueId(), footer.maxQueueId(), filter), new Fence(index), false);
    }

    /**
     * Reads the whole directory.
     *
     * @throws BlockReadException if a page of it is damaged: then the file has no index
     */
    static ResidentIndex rebuild(DiskFile file, BlockFileFooter footer) throws IOException {
        QueueFilter filter = QueueFilter.sizedFor(footer.minQueueId(), footer.maxQueueId(), footer.queueCount());
        ByteBuffer fence = ByteBuffer.allocate(footer.fenceBytes());
        ByteBuffer bytes = ByteBuffer.allocate(BlockFileLayout.PAGE_BYTES);
        for (int pageIndex = 0; pageIndex < footer.directoryPages(); pageIndex++) {
            long address = footer.directoryStart() + (long) pageIndex * BlockFileLayout.PAGE_BYTES;
            BlockFile.readFully(file, address, bytes.clear());
            String fault = DirectoryPage.faultIn(bytes.flip(), footer.fileNumber(), pageIndex);
            if (!fault.isEmpty()) {
                throw BlockReadException.corrupt(file.name(), address, fault);
            }
            DirectoryPage page = new DirectoryPage(bytes);
            fence.putInt(page.queueId(0)).putLong(page.baseOffset(0));
            for (int i = 0; i < page.entryCount(); i++) {
                filter.add(page.queueId(i));
            }
        }
        return new ResidentIndex(filter, new Fence(fence.flip()), true);
    }
}
