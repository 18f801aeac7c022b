package io.rivulet.broker.call;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Shares shrink, no share takes everything, and waiting callers are notified. */
final class ResponseMemoryTest {
    private static final int MAX_BYTES = 8 << 20;

    private final AtomicLong nanos = new AtomicLong();
    private final ResponseMemory memory = new ResponseMemory(MAX_BYTES, 1, nanos::get);

    @Test
    void aFetchGetsTheWantedBytesOrAnEighthOfTheFreeOnes() {
        assertThat(memory.take(1000)).isEqualTo(1000);
        assertThat(memory.take(Integer.MAX_VALUE)).isEqualTo((MAX_BYTES - 1000) / 8);
    }

    @Test
    void theSumStaysBelowTheLimitAndAWaiterIsNotifiedWhenMemoryIsFree() {
        int first = memory.take(Integer.MAX_VALUE);
        while (memory.take(Integer.MAX_VALUE) > 0) {
            assertThat(memory.usedBytes()).isLessThanOrEqualTo(MAX_BYTES);
        }
        AtomicInteger notified = new AtomicInteger();
        memory.whenFree(notified::incrementAndGet);
        long all = (long) first + ResponseMemory.SMALLEST_SHARE_BYTES + 1;
        assertThat(memory.takeAll(all, notified::incrementAndGet)).isFalse();
        assertThat(notified).hasValue(0);

        memory.giveBack(first);
        assertThat(notified).hasValue(1);
        memory.giveBack(memory.usedBytes());
        assertThat(notified).hasValue(2);
        assertThat(memory.usedBytes()).isEqualTo(all);
    }

    @Test
    void unreadAnswersAreGivenUpOnlyWhenOthersWait() {
        AtomicInteger given = new AtomicInteger();
        ResponseMemory.Answer old = memory.send(0, MAX_BYTES - 1000, given::incrementAndGet);
        nanos.addAndGet(1_000_001);
        ResponseMemory.Answer young = memory.send(0, 1000, given::incrementAndGet);
        assertThat(given).hasValue(0);

        AtomicInteger notified = new AtomicInteger();
        memory.whenFree(notified::incrementAndGet);
        assertThat(given).as("only the old answer").hasValue(1);
        memory.written(old);
        assertThat(notified).hasValue(1);
        memory.written(young);
        assertThat(memory.usedBytes()).isZero();
    }

    @Test
    void moreBytesThanTheLimitAreTakenWhenNothingElseIs() {
        AtomicInteger notified = new AtomicInteger();
        assertThat(memory.takeAll(2 * MAX_BYTES, notified::incrementAndGet)).isTrue();
        assertThat(memory.takeAll(1, notified::incrementAndGet)).isFalse();
        assertThat(memory.takeAll(MAX_BYTES, notified::incrementAndGet)).isFalse();
        assertThat(memory.takeAll(1, notified::incrementAndGet)).isFalse();
        assertThat(notified).hasValue(1);

        memory.giveBack(2 * MAX_BYTES);
        assertThat(notified).as("those that fit, in the order of arrival").hasValue(3);
        assertThat(memory.usedBytes()).isEqualTo(2);
        memory.giveBack(2);
        assertThat(notified).hasValue(4);
    }

    /** Each answer that is read is followed by a fetch, so there is never much free at once. */
    @ParameterizedTest
    @CsvSource({"2097152", "4194304", "8388608", "16777216"})
    void aLongAnswerGetsItsMemoryBesideASteadyLoadOfFetches(long bytes) {
        Deque<Integer> shares = new ArrayDeque<>();
        for (int share = take(); share > 0; share = take()) {
            shares.add(share);
        }
        AtomicInteger taken = new AtomicInteger();
        assertThat(memory.takeAll(bytes, taken::incrementAndGet)).isFalse();

        int answers = 0;
        while (taken.get() == 0 && answers < 10_000) {
            memory.giveBack(shares.remove());
            int next = take();
            if (next > 0) {
                shares.add(next);
            }
            answers++;
        }
        assertThat(taken).as("after %d answers", answers).hasValue(1);
        assertThat(memory.usedBytes()).isEqualTo(bytes + sum(shares));
        shares.forEach(memory::giveBack);
        memory.giveBack(bytes);
        assertThat(memory.take(MAX_BYTES)).as("nothing is kept back").isEqualTo(MAX_BYTES / 8);
    }

    private int take() {
        return memory.take(Integer.MAX_VALUE);
    }

    private static long sum(Collection<Integer> shares) {
        return shares.stream().mapToLong(Integer::longValue).sum();
    }

    /** As on the heap of requests, which are taken as a whole. */
    @Test
    void theLargestOfSeveralIsServedBesideASteadyLoadOfSmallerOnes() {
        AtomicInteger small = new AtomicInteger();
        AtomicInteger large = new AtomicInteger();
        int bytes = MAX_BYTES / 8;
        for (int i = 0; i < 8; i++) {
            assertThat(memory.takeAll(bytes, small::incrementAndGet)).isTrue();
        }
        assertThat(memory.takeAll(2 * MAX_BYTES, large::incrementAndGet)).isFalse();
        int ended = 0;
        while (large.get() == 0 && ended < small.get() && ended < 10_000) {
            boolean unused = memory.takeAll(bytes, small::incrementAndGet);
            memory.giveBack(bytes);
            ended++;
        }
        assertThat(large).as("after %d others", ended).hasValue(1);

        memory.giveBack(2 * MAX_BYTES);
        assertThat(memory.usedBytes()).as("the next ones").isPositive();
    }

    @Test
    void oneAnswerAtATimeHasTheMemoryForAHugeBatchAndTheOthersDoNotWaitForIt() {
        AtomicInteger taken = new AtomicInteger();
        memory.takeHuge(taken::incrementAndGet);
        memory.takeHuge(taken::incrementAndGet);
        memory.takeHuge(taken::incrementAndGet);
        assertThat(taken).hasValue(1);

        ResponseMemory.Answer answer = memory.send(0, 100 << 20, 100 << 20, () -> {});
        assertThat(memory.usedBytes()).isZero();
        assertThat(memory.take(1000)).isPositive();
        assertThat(taken).hasValue(1);

        memory.written(answer);
        assertThat(taken).hasValue(2);
        memory.giveBackHuge();
        assertThat(taken).hasValue(3);
    }

    @Test
    void aHugeAnswerThatIsReadTooSlowlyIsGivenUpWhenAnotherWaits() {
        AtomicInteger givenUp = new AtomicInteger();
        memory.takeHuge(() -> {});
        ResponseMemory.Answer answer = memory.send(0, 1 << 20, 1 << 20, givenUp::incrementAndGet);
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(2));
        memory.takeHuge(() -> {});
        assertThat(givenUp).hasValue(0);

        nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
        memory.takeHuge(() -> {});

        assertThat(givenUp).hasValue(1);
        memory.written(answer);
    }
}
