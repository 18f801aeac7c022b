package io.rivulet.broker.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The heap that is left when all limits are reached. */
final class HeapShareTest {
    private static long sum(long heapBytes, HeapShare... shares) {
        return Stream.of(shares).mapToLong(share -> share.bytes(heapBytes)).sum();
    }

    @Test
    void someHeapIsLeftWhenAllLimitsAreReached() {
        for (long heap = 64L << 20; heap <= 64L << 30; heap *= 2) {
            long stays = sum(
                    heap,
                    HeapShare.TOPICS,
                    HeapShare.GROUPS,
                    HeapShare.PRODUCERS,
                    HeapShare.FETCH_SESSIONS,
                    HeapShare.TRANSACTIONS,
                    HeapShare.ACCESS_RULES);
            long searches = HeapShare.GROUPS.bytes(heap) / HeapShare.SEARCHES_OF_GROUPS;
            long goes = sum(heap, HeapShare.LONG_REQUESTS, HeapShare.LONG_ANSWERS, HeapShare.COMPACTION) + searches;
            assertThat(stays).isLessThanOrEqualTo(heap / 32 * 24);
            assertThat(stays + goes).isLessThanOrEqualTo(heap / 32 * 31);
        }
    }
}
