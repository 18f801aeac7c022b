package io.rivulet.store.block;

import static io.rivulet.store.block.BlockFileLayout.ENTRIES_PER_PAGE;
import static io.rivulet.store.block.BlockFileLayout.ENTRY_BASE_OFFSET_AT;
import static io.rivulet.store.block.BlockFileLayout.ENTRY_QUEUE_ID_AT;
import static io.rivulet.store.block.BlockFileLayout.entryAt;

import java.nio.ByteBuffer;

/**
 * One directory page that has been verified.
 *
 * <p>Owned by: the thread that read it, for as long as its bytes are.
 */
final class DirectoryPage {
    private final ByteBuffer page;
    private final int entryCount;

    /** The bytes must be without fault. */
    DirectoryPage(ByteBuffer page) {
        this.page = page;
        this.entryCount = page.getInt(BlockFileLayout.PAGE_ENTRY_COUNT_AT);
    }

    /** What is wrong with the 4096 bytes of a page, or an empty string. */
    static String faultIn(ByteBuffer page, long fileNumber, int pageIndex) {
        int from = BlockFileLayout.PAGE_ENTRY_COUNT_AT;
        if (page.getInt(BlockFileLayout.PAGE_CRC_AT) != BlockFileLayout.crc(page, from, BlockFileLayout.PAGE_BYTES)) {
            return "checksum of directory page " + pageIndex;
        }
        if (page.getLong(BlockFileLayout.PAGE_FILE_NUMBER_AT) != fileNumber
                || page.getInt(BlockFileLayout.PAGE_INDEX_AT) != pageIndex) {
            return "another directory page in the place of page " + pageIndex;
        }
        int entryCount = page.getInt(from);
        return entryCount < 1 || entryCount > ENTRIES_PER_PAGE ? entryCount + " entries in page " + pageIndex : "";
    }

    int entryCount() {
        return entryCount;
    }

    BlockEntry entry(int index) {
        return BlockFileLayout.entry(page, entryAt(index));
    }

    int queueId(int index) {
        return page.getInt(entryAt(index) + ENTRY_QUEUE_ID_AT);
    }

    /** The last entry that begins at or before (queueId, offset); -1 if all begin after it. */
    int floor(int queueId, long offset) {
        int low = 0;
        int high = entryCount;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (BlockFileLayout.isAfter(
                    queueId(middle), page.getLong(entryAt(middle) + ENTRY_BASE_OFFSET_AT), queueId, offset)) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low - 1;
    }
}
