package io.rivulet.store.block.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.NavigableSet;
import java.util.SplittableRandom;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** The filter never denies a queue that is in the file, and rarely accepts one that is not. */
class QueueFilterTest {

    private static QueueFilter filter(NavigableSet<Integer> queueIds) {
        QueueFilter filter = QueueFilter.sizedFor(queueIds.first(), queueIds.last(), queueIds.size());
        queueIds.forEach(filter::add);
        return new QueueFilter(queueIds.first(), queueIds.last(), filter.bytes());
    }

    @Property(tries = 200)
    void noQueueInTheFileIsDenied(
            @ForAll long seed,
            @ForAll @IntRange(min = 1, max = 300) int count,
            @ForAll @IntRange(min = 1, max = Integer.MAX_VALUE) int range) {
        SplittableRandom random = new SplittableRandom(seed);
        NavigableSet<Integer> queueIds = new TreeSet<>();
        for (int i = 0; i < count; i++) {
            queueIds.add(random.nextInt(range));
        }
        QueueFilter filter = filter(queueIds);
        assertThat(queueIds).allMatch(filter::mayHold);
        assertThat(filter.mayHold(queueIds.last() + 1)).isFalse();
        assertThat(filter.mayHold(queueIds.first() - 1)).isFalse();
        assertThat(filter.residentBytes()).isLessThanOrEqualTo(queueIds.size());
    }

    @Test
    void aDenseFilterIsExactAndTakesABitForEachQueue() {
        NavigableSet<Integer> queueIds = new TreeSet<>();
        for (int queueId = 1000; queueId < 9000; queueId += 2) {
            queueIds.add(queueId);
        }
        QueueFilter filter = filter(queueIds);
        for (int queueId = 0; queueId < 10_000; queueId++) {
            assertThat(filter.mayHold(queueId)).isEqualTo(queueIds.contains(queueId));
        }
        assertThat(filter.residentBytes()).isEqualTo(1000);
    }

    @Test
    void aSparseFilterIsRarelyWrong() {
        SplittableRandom random = new SplittableRandom(5);
        NavigableSet<Integer> queueIds = new TreeSet<>();
        while (queueIds.size() < 2000) {
            queueIds.add(random.nextInt(1_000_000));
        }
        QueueFilter filter = filter(queueIds);
        int wrong = 0;
        for (int queueId = 0; queueId < 1_000_000; queueId++) {
            wrong += filter.mayHold(queueId) && !queueIds.contains(queueId) ? 1 : 0;
        }
        assertThat(wrong).isBetween(5_000, 30_000);
    }
}
