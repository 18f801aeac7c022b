package io.rivulet.broker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class GrownHeapTest {
    private static final long MIB = 1 << 20;

    private long live = 20 * MIB;
    private long used = live;
    private long heap = 48 * MIB;
    /** The heap never becomes smaller. */
    private boolean fixed;

    private int collections;
    private final GrownHeap grown = new GrownHeap(() -> heap, () -> used, this::collect);

    private void collect() {
        collections++;
        used = live;
        heap = fixed ? heap : live + live / 2;
    }

    private void grow(long bytes) {
        used += bytes;
        heap = Math.max(heap, used);
        grown.check();
    }

    @Test
    void aHeapThatIsSmallIsLeftAlone() {
        grow(40 * MIB);

        assertThat(collections).isZero();
    }

    @Test
    void garbageDoesNotMakeTheHeapMoreThanTwiceAsLarge() {
        live = 100 * MIB;
        used = live;
        for (int i = 0; i < 1000; i++) {
            grow(10 * MIB);
            assertThat(heap).isLessThanOrEqualTo(200 * MIB);
        }
        assertThat(collections).isBetween(50, 200);
    }

    @Test
    void aHeapThatIsFullOfWhatLivesIsCollectedRarely() {
        for (int i = 0; i < 1000; i++) {
            live += MIB;
            grow(MIB);
        }
        assertThat(collections).isLessThan(30);
    }

    @Test
    void aHeapThatIsLargeFromTheStartIsCollectedOnce() {
        fixed = true;
        heap = 4096 * MIB;
        for (int i = 0; i < 100; i++) {
            grown.check();
        }
        assertThat(collections).isEqualTo(1);
    }
}
