package io.rivulet.store.block.format;

import static io.rivulet.store.block.format.DirectoryPageLayout.ENTRY_BITS;
import static io.rivulet.store.block.format.DirectoryPageLayout.FIELDS;
import static io.rivulet.store.block.format.DirectoryPageLayout.MAX_ENTRIES;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The entries of a directory page that is being filled. The widths of its fields are known only after the last entry.
 *
 * <p>Memory: 1,024 entries. Owned by: background thread.
 */
public final class DirectoryPageBuilder {
    private final BlockEntry[] entries = new BlockEntry[MAX_ENTRIES];
    private int count;
    private final long[] least = new long[FIELDS];
    private final long[] most = new long[FIELDS];

    public boolean isEmpty() {
        return count == 0;
    }

    /** False if the page is full; then nothing has changed. */
    public boolean add(BlockEntry entry) {
        if (count == MAX_ENTRIES || (count > 0 && (count + 1) * bitsWith(entry) > ENTRY_BITS)) {
            return false;
        }
        for (int field = 0; field < FIELDS; field++) {
            long value = DirectoryPageLayout.field(entry, field);
            least[field] = count == 0 ? value : Math.min(least[field], value);
            most[field] = count == 0 ? value : Math.max(most[field], value);
        }
        entries[count++] = entry;
        return true;
    }

    /** How many bits each entry would need. */
    private int bitsWith(BlockEntry entry) {
        int bits = 0;
        for (int field = 0; field < FIELDS; field++) {
            long value = DirectoryPageLayout.field(entry, field);
            bits += width(Math.max(most[field], value) - Math.min(least[field], value));
        }
        return bits;
    }

    /** The number of bits of a difference, an unsigned number of 64 bits. */
    private static int width(long difference) {
        return Long.SIZE - Long.numberOfLeadingZeros(difference);
    }

    /** Writes the page with its checksum, and removes all entries. */
    public void seal(ByteBuffer page, long fileNumber, int pageIndex) {
        for (int at = 0; at < BlockFileLayout.PAGE_BYTES; at += Long.BYTES) {
            page.putLong(at, 0);
        }
        page.putInt(DirectoryPageLayout.ENTRY_COUNT_AT, count);
        page.putLong(DirectoryPageLayout.FILE_NUMBER_AT, fileNumber);
        page.putInt(DirectoryPageLayout.PAGE_INDEX_AT, pageIndex);
        int[] widths = new int[FIELDS];
        for (int field = 0; field < FIELDS; field++) {
            widths[field] = width(most[field] - least[field]);
            page.put(DirectoryPageLayout.WIDTHS_AT + field, (byte) widths[field]);
            page.putLong(DirectoryPageLayout.leastAt(field), least[field]);
        }
        int bit = 0;
        for (int i = 0; i < count; i++) {
            for (int field = 0; field < FIELDS; field++) {
                long beyond = DirectoryPageLayout.field(entries[i], field) - least[field];
                DirectoryPageLayout.putBits(page, bit, widths[field], beyond);
                bit += widths[field];
            }
        }
        int crc = BlockFileLayout.crc(page, DirectoryPageLayout.ENTRY_COUNT_AT, BlockFileLayout.PAGE_BYTES);
        page.putInt(DirectoryPageLayout.CRC_AT, crc);
        Arrays.fill(entries, 0, count, null);
        count = 0;
    }
}
