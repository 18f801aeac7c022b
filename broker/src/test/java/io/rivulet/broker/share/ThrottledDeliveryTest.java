package io.rivulet.broker.share;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.coordinator.EntryText;
import io.rivulet.broker.error.ErrorCode;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Records that were delivered often come with fewer and fewer others. */
final class ThrottledDeliveryTest {
    private static final int BATCH = 200;

    private final ShareGroup group = new ShareGroup("g", new ShareMemory(Long.MAX_VALUE), new ShareCounters());

    /** Acquires, and releases it again if wanted. */
    private List<Acquired> deliver(int records, Limits limits, boolean releases) {
        Claim claim = group.claim(1, 0, records, records, limits, new NoWaiter(), 0);
        if (claim == null) {
            return List.of();
        }
        Spans read = new Spans();
        long until = 0;
        while (until < claim.until()) {
            if (until + BATCH > claim.from()) {
                read.add(until, Math.min(records, until + BATCH) - 1);
            }
            until = Math.min(records, until + BATCH);
        }
        List<Acquired> got = group.acquire(claim, read, until, Long.MAX_VALUE, records, "m", 1000);
        group.unclaim(claim, records, limits, new NoWaiter(), 0);
        if (releases) {
            release(got, limits);
        }
        return got;
    }

    private void release(List<Acquired> got, Limits limits) {
        Results results = new Results();
        List<AckBatch> batches = got.stream()
                .map(range -> new AckBatch(range.firstOffset(), range.lastOffset(), AckType.RELEASE))
                .toList();
        assertThat(group.acknowledge(1, "m", batches, limits, 0, results)).isEqualTo(ErrorCode.NONE);
        ByteBuffer entry = ShareEntryLayout.results(group, results.runs());
        assertThat(entry.get()).isEqualTo(ShareEntryLayout.RESULTS);
        assertThat(EntryText.take(entry)).isEqualTo(group.id());
        assertThat(entry.getInt()).isEqualTo(1);
        ShareEntryLayout.applyRow(entry, group, queueId -> true);
    }

    private List<Long> counts(int records, Limits limits, int deliveries) {
        assertThat(group.create(1, 0)).isTrue();
        List<Long> counts = new ArrayList<>();
        for (int i = 0; i < deliveries; i++) {
            counts.add(deliver(records, limits, true).stream()
                    .mapToLong(range -> range.lastOffset() - range.firstOffset() + 1)
                    .sum());
        }
        return counts;
    }

    @Test
    void fromHalfOfTheLimitOnTheyAreHalvedEachTime() {
        assertThat(counts(512, new Limits(10, 1000, 100, true), 10))
                .containsExactly(512L, 512L, 512L, 512L, 512L, 256L, 128L, 64L, 32L, 1L);
    }

    @Test
    void theRestOfAHalfComesTogether() {
        Limits limits = new Limits(5, 1000, 100, true);
        // 100 three times, then 50, then the first 50 one by one.
        assertThat(counts(100, limits, 4 + 50 + 1)).endsWith(1L, 1L, 50L).startsWith(100L, 100L, 100L, 50L, 1L);
    }

    @Test
    void withALimitOfTwoAllComeTogether() {
        assertThat(counts(100, new Limits(2, 1000, 100, true), 3)).containsExactly(100L, 100L, 0L);
    }

    @Test
    void theyDoNotComeWithOthers() {
        Limits limits = new Limits(5, 1000, 100, true);
        counts(3, limits, 3);

        assertThat(deliver(5, limits, false)).containsExactly(new Acquired(0, 0, 4));
        assertThat(deliver(5, limits, false)).containsExactly(new Acquired(1, 1, 4));
        assertThat(deliver(5, limits, false)).containsExactly(new Acquired(2, 2, 4));
        assertThat(deliver(5, limits, false)).containsExactly(new Acquired(3, 4, 1));
    }
}
