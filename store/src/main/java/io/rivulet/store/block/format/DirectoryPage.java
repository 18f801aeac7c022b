package io.rivulet.store.block.format;

import static io.rivulet.store.block.format.DirectoryPageLayout.BASE_OFFSET;
import static io.rivulet.store.block.format.DirectoryPageLayout.ENTRY_BITS;
import static io.rivulet.store.block.format.DirectoryPageLayout.ENTRY_COUNT_AT;
import static io.rivulet.store.block.format.DirectoryPageLayout.FIELDS;
import static io.rivulet.store.block.format.DirectoryPageLayout.MAX_ENTRIES;
import static io.rivulet.store.block.format.DirectoryPageLayout.MAX_TIMESTAMP;
import static io.rivulet.store.block.format.DirectoryPageLayout.OFFSET_COUNT;
import static io.rivulet.store.block.format.DirectoryPageLayout.PLACE;
import static io.rivulet.store.block.format.DirectoryPageLayout.QUEUE_ID;
import static io.rivulet.store.block.format.DirectoryPageLayout.STREAM_BYTES;
import static io.rivulet.store.block.format.DirectoryPageLayout.WIDTHS_AT;

import java.nio.ByteBuffer;

/**
 * One verified directory page.
 *
 * <p>Owned by: the thread that read it, as long as its bytes are valid.
 */
public final class DirectoryPage {
    private final ByteBuffer page;
    private final int entryCount;
    private final long[] least = new long[FIELDS];
    private final int[] widths = new int[FIELDS];
    /** Where in an entry each field begins; the last element is where the next entry begins. */
    private final int[] starts = new int[FIELDS + 1];

    /** The bytes must have no fault. */
    public DirectoryPage(ByteBuffer page) {
        this.page = page;
        this.entryCount = page.getInt(ENTRY_COUNT_AT);
        for (int field = 0; field < FIELDS; field++) {
            least[field] = page.getLong(DirectoryPageLayout.leastAt(field));
            widths[field] = page.get(WIDTHS_AT + field);
            starts[field + 1] = starts[field] + widths[field];
        }
    }

    /** The fault of a page of 4096 bytes; an empty string if there is none. */
    public static String faultIn(ByteBuffer page, long fileNumber, int pageIndex) {
        if (page.getInt(DirectoryPageLayout.CRC_AT)
                != BlockFileLayout.crc(page, ENTRY_COUNT_AT, BlockFileLayout.PAGE_BYTES)) {
            return "checksum of directory page " + pageIndex;
        }
        if (page.getLong(DirectoryPageLayout.FILE_NUMBER_AT) != fileNumber
                || page.getInt(DirectoryPageLayout.PAGE_INDEX_AT) != pageIndex) {
            return "another directory page in the place of page " + pageIndex;
        }
        int entryCount = page.getInt(ENTRY_COUNT_AT);
        return entryCount < 1 || entryCount > MAX_ENTRIES || !isRoomFor(entryCount, page)
                ? entryCount + " entries in page " + pageIndex
                : "";
    }

    private static boolean isRoomFor(int entryCount, ByteBuffer page) {
        int entryBits = 0;
        for (int field = 0; field < FIELDS; field++) {
            int width = page.get(WIDTHS_AT + field);
            if (width < 0 || width > Long.SIZE) {
                return false;
            }
            entryBits += width;
        }
        return entryCount * entryBits <= ENTRY_BITS;
    }

    /** The index that the page has in its directory, if it has no fault. */
    public static int pageIndex(ByteBuffer page) {
        return page.getInt(DirectoryPageLayout.PAGE_INDEX_AT);
    }

    public int entryCount() {
        return entryCount;
    }

    public BlockEntry entry(int index) {
        return new BlockEntry(
                queueId(index),
                value(index, PLACE) * BlockFileLayout.PLACE_UNIT_BYTES,
                baseOffset(index),
                (int) value(index, OFFSET_COUNT),
                (int) value(index, STREAM_BYTES),
                value(index, MAX_TIMESTAMP));
    }

    public int queueId(int index) {
        return (int) value(index, QUEUE_ID);
    }

    public long baseOffset(int index) {
        return value(index, BASE_OFFSET);
    }

    private long value(int index, int field) {
        return least[field] + DirectoryPageLayout.bits(page, index * starts[FIELDS] + starts[field], widths[field]);
    }

    /** The last entry that begins at or before (queueId, offset); -1 if all begin after it. */
    public int floor(int queueId, long offset) {
        int low = 0;
        int high = entryCount;
        int middle = guess(queueId);
        while (low < high) {
            if (beginsAfter(middle, queueId, offset)) {
                high = middle;
            } else {
                low = middle + 1;
                if (low < high && beginsAfter(low, queueId, offset)) {
                    return middle; // the usual case after the guess
                }
            }
            middle = (low + high) >>> 1;
        }
        return low - 1;
    }

    private boolean beginsAfter(int index, int queueId, long offset) {
        int queueThere = queueId(index);
        return queueThere > queueId || (queueThere == queueId && baseOffset(index) > offset);
    }

    /**
     * The index of the queue if all queues of the page were evenly spaced, with equally many blocks. Often they are.
     */
    private int guess(int queueId) {
        long first = least[QUEUE_ID];
        long span = queueId(entryCount - 1) - first;
        long share = Math.max(0, Math.min(span, queueId - first));
        return span == 0 ? entryCount >>> 1 : (int) (share * (entryCount - 1) / span);
    }
}
