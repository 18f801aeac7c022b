package io.rivulet.store.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rivulet.store.memory.PagePool;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many threads and few pages: each read returns the right bytes, and in the end every page is free. */
class PageCacheStressTest {
    private static final int PAGE = 512;
    private static final int FILE_PAGES = 200;

    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void stop() {
        threads.shutdown();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void everyReadSeesItsOwnBytesUnderPressure(long seed) throws Exception {
        PagePool pool = new PagePool("cache", 24 * PAGE, PAGE, PAGE);
        PageCache cache = new PageCache(pool, new CacheLimits(12, 6, 8 * PAGE, 2, 16 * PAGE));
        List<SelfDescribingFile> files =
                List.of(new SelfDescribingFile(1, FILE_PAGES * PAGE), new SelfDescribingFile(2, FILE_PAGES * PAGE));
        List<Callable<Integer>> readers = new ArrayList<>();
        for (int thread = 0; thread < 6; thread++) {
            SplittableRandom random = new SplittableRandom(seed * 100 + thread);
            readers.add(() -> readAtRandom(cache, files, random, 4000));
        }
        for (Future<Integer> reader : threads.invokeAll(readers)) {
            assertThat(reader.get()).as("seed %s", seed).isEqualTo(4000);
        }
        assertThat(cache.openLeases()).isZero();
        assertThat((long) cache.pagesHeld()).isEqualTo(cache.pagesCached());
        pool.requireBalanced();
        files.forEach(cache::forget);
        assertThat(cache.pagesHeld()).isZero();
        assertThat(cache.counters().evictions()).isPositive();
    }

    /** Holds a few reads open at a time, so that evicted pages stay pinned and the pool runs dry. */
    private static int readAtRandom(PageCache cache, List<SelfDescribingFile> files, SplittableRandom random, int times)
            throws IOException {
        Deque<Runnable> open = new ArrayDeque<>();
        int done = 0;
        for (int i = 0; i < times; i++) {
            SelfDescribingFile file = files.get(random.nextInt(files.size()));
            long address = random.nextLong(FILE_PAGES * PAGE / 8 - 300) * 8;
            PageClass pageClass = random.nextBoolean() ? PageClass.TAIL : PageClass.SCAN;
            FileBytes bytes =
                    cache.read(file, address, 8 * (1 + random.nextInt(200)), random.nextInt(4) * PAGE, pageClass);
            file.requireBytes(bytes, address);
            if (bytes.isCached()) {
                open.add(() -> {
                    file.requireBytes(bytes, address);
                    bytes.close();
                });
            } else {
                bytes.close();
            }
            if (open.size() > random.nextInt(4)) {
                open.remove().run();
            }
            if (random.nextInt(8) == 0) {
                cache.passed(file, address, 4 * PAGE);
            }
            done++;
        }
        open.forEach(Runnable::run);
        return done;
    }

    /** Tests the checker: it detects a page that is freed while a thread reads it. */
    @Test
    void theCheckerFindsAPageThatIsFreedTooEarly() throws IOException {
        PagePool pool = new PagePool("cache", 24 * PAGE, PAGE, PAGE);
        PageCache cache = new PageCache(pool, new CacheLimits(12, 6, 8 * PAGE, 2, 16 * PAGE));
        SelfDescribingFile file = new SelfDescribingFile(1, FILE_PAGES * PAGE);
        ReadLease leaked = leaseOf(cache, file, 0);
        FileBytes bytes = FileBytes.ofPages(List.of(leaked), 0, PAGE);
        leaked.close();
        for (int page = 1; page < FILE_PAGES; page++) {
            cache.read(file, page * (long) PAGE, PAGE, 0, PageClass.SCAN).close();
        }
        assertThatThrownBy(() -> file.requireBytes(bytes, 0)).isInstanceOf(AssertionError.class);
    }

    /** Tests the checker: it detects a lease that is never closed. */
    @Test
    void theCheckerFindsALeakedLease() throws IOException {
        PagePool pool = new PagePool("cache", 24 * PAGE, PAGE, PAGE);
        PageCache cache = new PageCache(pool, new CacheLimits(12, 6, 8 * PAGE, 2, 16 * PAGE));
        SelfDescribingFile file = new SelfDescribingFile(1, FILE_PAGES * PAGE);
        ReadLease leaked = leaseOf(cache, file, 0);
        cache.forget(file);
        assertThat(cache.openLeases()).isEqualTo(1);
        assertThat((long) cache.pagesHeld()).isEqualTo(cache.pagesCached() + 1);
        leaked.close();
        assertThat(cache.pagesHeld()).isZero();
    }

    private static ReadLease leaseOf(PageCache cache, SelfDescribingFile file, long page) throws IOException {
        cache.read(file, page * PAGE, PAGE, 0, PageClass.SCAN).close();
        ReadLease lease = cache.tryGet(file, page, PageClass.SCAN);
        if (lease == null) {
            throw new AssertionError("just read");
        }
        return lease;
    }

    @Test
    void concurrentReadersOfOnePageCauseOneRead() throws Exception {
        int readers = 8;
        PageCache cache =
                new PageCache(new PagePool("cache", 16 * PAGE, PAGE, PAGE), new CacheLimits(8, 4, PAGE, 1, PAGE));
        CountDownLatch inRead = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        SelfDescribingFile file = new SelfDescribingFile(1, FILE_PAGES * PAGE).beforeRead(() -> {
            inRead.countDown();
            awaitQuietly(goOn);
        });
        CyclicBarrier start = new CyclicBarrier(readers + 1);
        List<Future<Integer>> results = new ArrayList<>();
        for (int i = 0; i < readers; i++) {
            results.add(threads.submit(() -> {
                start.await();
                try (FileBytes bytes = cache.read(file, 0, PAGE, 0, PageClass.TAIL)) {
                    file.requireBytes(bytes, 0);
                    return bytes.length();
                }
            }));
        }
        start.await();
        inRead.await();
        while (cache.counters().joined() < readers - 1) {
            Thread.onSpinWait();
        }
        goOn.countDown();
        for (Future<Integer> result : results) {
            assertThat(result.get()).isEqualTo(PAGE);
        }
        assertThat(file.reads()).isEqualTo(1);
        assertThat(cache.counters().misses().sum()).isEqualTo(1);
    }

    @Test
    void aFailedLoadFailsAllWaitingReadersAndNoLaterOne() throws Exception {
        PageCache cache =
                new PageCache(new PagePool("cache", 16 * PAGE, PAGE, PAGE), new CacheLimits(8, 4, PAGE, 1, PAGE));
        CountDownLatch inRead = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        SelfDescribingFile file = new SelfDescribingFile(1, FILE_PAGES * PAGE)
                .badFrom(0)
                .beforeRead(() -> {
                    inRead.countDown();
                    awaitQuietly(goOn);
                });
        Callable<FileBytes> read = () -> cache.read(file, 0, PAGE, 0, PageClass.TAIL);
        Future<FileBytes> loader = threads.submit(read);
        inRead.await();
        Future<FileBytes> waiter = threads.submit(read);
        while (cache.counters().joined() == 0) {
            Thread.onSpinWait();
        }
        goOn.countDown();
        assertThatThrownBy(loader::get).isInstanceOf(ExecutionException.class).hasMessageContaining("bad sector");
        assertThatThrownBy(waiter::get).isInstanceOf(ExecutionException.class).hasMessageContaining("bad sector");
        assertThat(file.reads()).isEqualTo(1);

        file.badFrom(Long.MAX_VALUE);
        cache.read(file, 0, PAGE, 0, PageClass.TAIL).close();
        assertThat(cache.openLeases()).isZero();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
