package io.rivulet.store.block.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/**
 * A directory page returns its entries unchanged, for any values of their fields, and rejects entries when it is full.
 */
class DirectoryPageTest {
    private static final long FILE_NUMBER = 77;
    private static final int PAGE_INDEX = 5;

    private final DirectoryPageBuilder builder = new DirectoryPageBuilder();
    private final ByteBuffer bytes = ByteBuffer.allocate(BlockFileLayout.PAGE_BYTES);

    private DirectoryPage sealed() {
        for (int at = 0; at < bytes.capacity(); at++) {
            bytes.put(at, (byte) 0xA5); // of the page before
        }
        builder.seal(bytes, FILE_NUMBER, PAGE_INDEX);
        assertThat(DirectoryPage.faultIn(bytes, FILE_NUMBER, PAGE_INDEX)).isEmpty();
        return new DirectoryPage(bytes);
    }

    private static BlockEntry entry(int queueId, long place, long baseOffset, int count, int length, long timestamp) {
        return new BlockEntry(queueId, place * BlockFileLayout.PLACE_UNIT_BYTES, baseOffset, count, length, timestamp);
    }

    /** A random number of at most {@code bits + 1} bits. */
    private static long some(SplittableRandom random, int bits) {
        return random.nextLong() >>> (Long.SIZE - 1 - bits);
    }

    /** In the order of a file. More bits make the entries differ more. */
    private static List<BlockEntry> entries(long seed, int most, int bits) {
        SplittableRandom random = new SplittableRandom(seed);
        List<BlockEntry> entries = new ArrayList<>();
        long queueId = random.nextInt(1000);
        long place = random.nextInt(1000);
        long offset = 0;
        for (int i = 0; i < most; i++) {
            boolean sameQueue = i > 0 && random.nextInt(3) == 0;
            queueId += sameQueue ? 0 : 1 + some(random, Math.min(bits, 20));
            offset = (sameQueue ? offset : 0) + some(random, Math.min(bits, 50));
            int count = 1 + (int) some(random, Math.min(bits, 30));
            int length = 1 + (int) some(random, Math.min(bits, 22));
            entries.add(entry((int) queueId, place, offset, count, length, random.nextLong() >> (63 - bits)));
            place += 1 + some(random, Math.min(bits, 20));
            offset += count;
        }
        return entries;
    }

    @Property(tries = 300)
    void entriesComeBackAsTheyWere(
            @ForAll long seed,
            @ForAll @IntRange(min = 1, max = 1500) int most,
            @ForAll @IntRange(min = 0, max = 63) int bits) {
        List<BlockEntry> entries = entries(seed, most, bits);
        int taken = 0;
        while (taken < entries.size() && builder.add(entries.get(taken))) {
            taken++;
        }
        DirectoryPage page = sealed();
        assertThat(page.entryCount()).isEqualTo(taken);
        for (int i = 0; i < taken; i++) {
            assertThat(page.entry(i)).isEqualTo(entries.get(i));
            assertThat(page.queueId(i)).isEqualTo(entries.get(i).queueId());
            assertThat(page.baseOffset(i)).isEqualTo(entries.get(i).baseOffset());
        }
        assertThat(builder.isEmpty()).isTrue();
    }

    @Property(tries = 100)
    void theLastThatBeginsAtOrBeforeIsFound(@ForAll long seed, @ForAll @IntRange(min = 0, max = 40) int bits) {
        List<BlockEntry> entries = entries(seed, 60, bits);
        int taken = 0;
        while (taken < entries.size() && builder.add(entries.get(taken))) {
            taken++;
        }
        DirectoryPage page = sealed();
        assertThat(page.floor(-1, Long.MAX_VALUE)).isEqualTo(-1);
        for (int i = 0; i < taken; i++) {
            BlockEntry entry = entries.get(i);
            assertThat(page.floor(entry.queueId(), entry.baseOffset())).isEqualTo(i);
            assertThat(page.floor(entry.queueId(), entry.baseOffset() - 1)).isEqualTo(i - 1);
            assertThat(page.floor(entry.queueId(), entry.endOffset() - 1)).isEqualTo(i);
        }
        assertThat(page.floor(Integer.MAX_VALUE, Long.MAX_VALUE)).isEqualTo(taken - 1);
    }

    @Example
    void fieldsMayDifferByAllOfTheirBits() {
        List<BlockEntry> entries = List.of(
                entry(0, 8, 0, 1, 1, Long.MIN_VALUE),
                entry(0, (1L << 32) - 1, Long.MAX_VALUE - 1, 1, Integer.MAX_VALUE, Long.MAX_VALUE),
                entry(Integer.MAX_VALUE, 1L << 31, 12345678901L, Integer.MAX_VALUE, 77, -1));
        entries.forEach(entry -> assertThat(builder.add(entry)).isTrue());
        DirectoryPage page = sealed();
        for (int i = 0; i < entries.size(); i++) {
            assertThat(page.entry(i)).isEqualTo(entries.get(i));
        }
    }

    /** What a sweep writes if each queue has one small record. */
    @Example
    void hundredsOfSmallBlocksShareAPage() {
        int count = 0;
        while (builder.add(
                entry(5000 + count, 8 + 12L * count, count % 4, 1 + count % 2, 70 + count % 8, 3000 + count / 100))) {
            count++;
        }
        assertThat(count).isGreaterThan(700);
        assertThat(sealed().entryCount()).isEqualTo(count);
    }

    @Example
    void aPageThatClaimsMoreThanItHasRoomForIsFaulty() {
        builder.add(entry(1, 8, 0, 1, 70, 3));
        builder.add(entry(900, 20, 0, 1, 71, 3));
        builder.seal(bytes, FILE_NUMBER, PAGE_INDEX);
        for (int claimed : new int[] {0, -1, DirectoryPageLayout.MAX_ENTRIES + 1, 1 << 28}) {
            assertFault(DirectoryPageLayout.ENTRY_COUNT_AT, claimed, "entries");
        }
        assertFault(DirectoryPageLayout.WIDTHS_AT, 0x41_00_00_00, "entries");
        assertFault(DirectoryPageLayout.WIDTHS_AT, 0xFF_00_00_00, "entries");
        assertFault(DirectoryPageLayout.PAGE_INDEX_AT, PAGE_INDEX + 1, "another");
    }

    /** Makes the checksum valid, as if the writer had made a mistake. */
    private void assertFault(int at, int value, String fault) {
        ByteBuffer altered = ByteBuffer.allocate(BlockFileLayout.PAGE_BYTES).put(0, bytes, 0, bytes.capacity());
        altered.putInt(at, value);
        altered.putInt(
                DirectoryPageLayout.CRC_AT,
                BlockFileLayout.crc(altered, DirectoryPageLayout.ENTRY_COUNT_AT, BlockFileLayout.PAGE_BYTES));
        assertThat(DirectoryPage.faultIn(altered, FILE_NUMBER, PAGE_INDEX)).contains(fault);
    }
}
