package io.rivulet.store.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rivulet.store.memory.PagePool;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which pages are kept and evicted, and what happens without a free page. */
class PageCacheTest {
    private static final int PAGE = 4096;

    /** 16 pages: 10 kept, 4 passing, 2 in reserve. */
    private final PagePool pool = new PagePool("cache", 16 * PAGE, PAGE, PAGE);

    private final PageCache cache = new PageCache(pool, new CacheLimits(10, 4, 8 * PAGE, 2, 64 << 10));
    private final SelfDescribingFile file = new SelfDescribingFile(1, 1000 * PAGE + 100);

    @AfterEach
    void everyPageIsAccountedFor() {
        assertThat(cache.openLeases()).isZero();
        assertThat((long) cache.pagesHeld()).isEqualTo(cache.pagesCached());
        pool.requireBalanced();
        cache.forget(file);
        assertThat(cache.pagesHeld()).isZero();
    }

    private void read(long page, PageClass pageClass) throws IOException {
        read(page * PAGE, PAGE, 0, pageClass);
    }

    private void read(long address, int length, int ahead, PageClass pageClass) throws IOException {
        try (FileBytes bytes = cache.read(file, address, length, ahead, pageClass)) {
            assertThat(bytes.length()).isEqualTo(length);
            if (address % Long.BYTES == 0) {
                file.requireBytes(bytes, address);
            }
        }
    }

    @Test
    void aPageIsReadOnce() throws IOException {
        read(7, PageClass.TAIL);
        read(7, PageClass.TAIL);
        assertThat(file.reads()).isEqualTo(1);
        assertThat(cache.counters().hits().tail()).isEqualTo(1);
        assertThat(cache.counters().misses().tail()).isEqualTo(1);
        assertThat(cache.counters().readBytes()).isEqualTo(PAGE);
    }

    @Test
    void aRangeOverAbsentPagesIsOneIo() throws IOException {
        read(3 * PAGE + 8, 3 * PAGE, 0, PageClass.SCAN);
        assertThat(cache.counters().reads()).isEqualTo(1);
        assertThat(cache.counters().misses().scan()).isEqualTo(4);
    }

    @Test
    void theLastPartialPageIsReadToTheEndOfTheFile() throws IOException {
        read(1000 * PAGE, 100, 5 * PAGE, PageClass.SCAN);
        assertThat(cache.counters().readBytes()).isEqualTo(100);
        assertThatThrownBy(() -> cache.read(file, 1000 * PAGE, 101, 0, PageClass.SCAN))
                .isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void tryGetNeverReads() throws IOException {
        assertThat(cache.tryGet(file, 5, PageClass.TAIL)).isNull();
        read(5, PageClass.TAIL);
        ReadLease lease = Objects.requireNonNull(cache.tryGet(file, 5, PageClass.TAIL));
        assertThat(lease.bytes().getLong(0)).isEqualTo(SelfDescribingFile.word(1, 5 * PAGE));
        lease.close();
        assertThat(file.reads()).isEqualTo(1);
    }

    @Test
    void aLeaseIsClosedExactlyOnce() throws IOException {
        read(5, PageClass.TAIL);
        ReadLease lease = Objects.requireNonNull(cache.tryGet(file, 5, PageClass.TAIL));
        assertThat(cache.openLeases()).isEqualTo(1);
        lease.close();
        assertThatThrownBy(lease::close).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(lease::bytes).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void bytesAreClosedExactlyOnce() throws IOException {
        FileBytes bytes = cache.read(file, 0, 100, 0, PageClass.TAIL);
        bytes.close();
        assertThatThrownBy(bytes::close).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> bytes.crcFrom(0)).isInstanceOf(IllegalStateException.class);
    }

    /** The hot set is as large as its share. A scan of a thousand pages causes no miss in it. */
    @Test
    void aScanDoesNotEvictTheHotSet() throws IOException {
        for (int page = 0; page < 10; page++) {
            read(page, PageClass.TAIL);
        }
        for (int page = 10; page < 1000; page++) {
            read(page * (long) PAGE, PAGE, 2 * PAGE, PageClass.SCAN);
        }
        CacheCounters before = cache.counters();
        for (int page = 0; page < 10; page++) {
            read(page, PageClass.TAIL);
        }
        CacheCounters after = cache.counters();
        assertThat(after.hits().tail() - before.hits().tail()).isEqualTo(10);
        assertThat(after.misses().sum()).isEqualTo(before.misses().sum());
        assertThat(after.evictions()).isGreaterThan(900);
    }

    /** Tests the assertion above: if scans count as TAIL, the hot set loses pages. */
    @Test
    void theCheckerFindsAScanInTheWrongClass() throws IOException {
        for (int page = 0; page < 10; page++) {
            read(page, PageClass.TAIL);
        }
        for (int round = 0; round < 3; round++) {
            for (int page = 10; page < 1000; page++) {
                read(page, PageClass.TAIL);
                read(page, PageClass.TAIL);
            }
        }
        long before = cache.counters().misses().sum();
        for (int page = 0; page < 10; page++) {
            read(page, PageClass.TAIL);
        }
        assertThat(cache.counters().misses().sum()).isGreaterThan(before);
    }

    @Test
    void pagesReadAheadAreFoundByTheNextReader() throws IOException {
        for (int page = 0; page < 40; page++) {
            read(page * (long) PAGE, PAGE, 2 * PAGE, PageClass.SCAN);
        }
        assertThat(cache.counters().reads()).isLessThanOrEqualTo(14);
        assertThat(cache.counters().hits().readAhead()).isGreaterThanOrEqualTo(26);
    }

    @Test
    void aPassedPageIsDroppedAndOneThatIsPartlyPassedStays() throws IOException {
        read(0, 3 * PAGE, 0, PageClass.SCAN);
        cache.passed(file, 0, 2 * PAGE + 10);
        assertThat(cache.counters().passed()).isEqualTo(2);
        read(2, PageClass.SCAN);
        assertThat(file.reads()).isEqualTo(1);
        read(1, PageClass.SCAN);
        assertThat(file.reads()).isEqualTo(2);
    }

    @Test
    void aKeptPageIsNotDroppedByAPassingReader() throws IOException {
        read(0, PageClass.TAIL);
        read(0, PageClass.SCAN);
        cache.passed(file, 0, PAGE);
        read(0, PageClass.TAIL);
        assertThat(file.reads()).isEqualTo(1);
    }

    @Test
    void aScannedPageThatATailReaderWantsIsPromoted() throws IOException {
        read(0, PageClass.SCAN);
        read(0, PageClass.TAIL);
        for (int page = 1; page < 100; page++) {
            read(page, PageClass.SCAN);
        }
        read(0, PageClass.TAIL);
        assertThat(cache.counters().promotions()).isEqualTo(1);
        assertThat(file.reads()).isEqualTo(100);
    }

    @Test
    void anEvictedPageStaysWithItsReaderAndIsFreedWhenThatOneCloses() throws IOException {
        FileBytes pinned = cache.read(file, 0, PAGE, 0, PageClass.SCAN);
        for (int page = 1; page < 100; page++) {
            read(page, PageClass.SCAN);
        }
        assertThat(cache.tryGet(file, 0, PageClass.SCAN)).isNull();
        file.requireBytes(pinned, 0);
        assertThat((long) cache.pagesHeld()).isEqualTo(cache.pagesCached() + 1);
        pinned.close();
    }

    /** All pages are pinned: reads bypass the cache, and use it again once a lease is closed. */
    @Test
    void readsBypassTheCacheIfEveryPageIsPinned() throws IOException {
        List<FileBytes> pinned = new ArrayList<>();
        for (int page = 0; page < 16; page++) {
            pinned.add(cache.read(file, page * (long) PAGE, PAGE, 0, PageClass.SCAN));
        }
        assertThat(pinned).allMatch(FileBytes::isCached);

        try (FileBytes around = cache.read(file, 500 * PAGE, 3 * PAGE, 0, PageClass.TAIL)) {
            assertThat(around.isCached()).isFalse();
            file.requireBytes(around, 500 * PAGE);
        }
        assertThat(cache.counters().bypasses()).isEqualTo(1);
        assertThat(cache.pagesHeld()).isEqualTo(16);

        pinned.forEach(FileBytes::close);
        try (FileBytes through = cache.read(file, 500 * PAGE, PAGE, 0, PageClass.TAIL)) {
            assertThat(through.isCached()).isTrue();
        }
    }

    @Test
    void aFailedReadLeavesNothingBehindAndIsTriedAgain() throws IOException {
        file.badFrom(10 * PAGE);
        assertThatThrownBy(() -> read(10, PageClass.TAIL)).hasMessageContaining("bad sector");
        assertThat(cache.pagesHeld()).isZero();
        file.badFrom(Long.MAX_VALUE);
        read(10, PageClass.TAIL);
    }

    @Test
    void aBadSectorAheadDoesNotHurtWhatIsBeforeIt() throws IOException {
        file.badFrom(10 * PAGE);
        read(8 * PAGE, PAGE, 5 * PAGE, PageClass.SCAN);
        read(8 * PAGE, 2 * PAGE, 5 * PAGE, PageClass.SCAN);
        assertThatThrownBy(() -> read(8 * PAGE, 3 * PAGE, 0, PageClass.SCAN)).hasMessageContaining("bad sector");
    }

    @Test
    void sharesThatExceedThePoolAreRefused() {
        assertThatThrownBy(() -> new PageCache(pool, new CacheLimits(13, 4, PAGE, 1, PAGE)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("16");
    }
}
