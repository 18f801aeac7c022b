package io.rivulet.broker.call;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Shares shrink, nobody gets all, and who waits is told. */
final class ResponseMemoryTest {
    private static final int MAX_BYTES = 8 << 20;

    private final AtomicLong nanos = new AtomicLong();
    private final ResponseMemory memory = new ResponseMemory(MAX_BYTES, 1, nanos::get);

    @Test
    void aFetchGetsWhatItWantsOrAnEighthOfWhatIsFree() {
        assertThat(memory.take(1000)).isEqualTo(1000);
        assertThat(memory.take(Integer.MAX_VALUE)).isEqualTo((MAX_BYTES - 1000) / 8);
    }

    @Test
    void theSumStaysBelowTheLimitAndWhoGetsNothingIsToldOnceThereIsSome() {
        int first = memory.take(Integer.MAX_VALUE);
        while (memory.take(Integer.MAX_VALUE) > 0) {
            assertThat(memory.usedBytes()).isLessThanOrEqualTo(MAX_BYTES);
        }
        AtomicInteger told = new AtomicInteger();
        memory.whenFree(told::incrementAndGet);
        long all = (long) first + ResponseMemory.SMALLEST_SHARE_BYTES + 1;
        assertThat(memory.takeAll(all, told::incrementAndGet)).isFalse();
        assertThat(told).hasValue(0);

        memory.giveBack(first);
        assertThat(told).hasValue(1);
        memory.giveBack(memory.usedBytes());
        assertThat(told).hasValue(2);
        assertThat(memory.usedBytes()).isEqualTo(all);
    }

    @Test
    void answersThatNobodyTakesAreGivenUpWhenOthersWaitAndOnlyThen() {
        AtomicInteger given = new AtomicInteger();
        ResponseMemory.Answer old = memory.send(0, MAX_BYTES - 1000, given::incrementAndGet);
        nanos.addAndGet(1_000_001);
        ResponseMemory.Answer young = memory.send(0, 1000, given::incrementAndGet);
        assertThat(given).hasValue(0);

        AtomicInteger told = new AtomicInteger();
        memory.whenFree(told::incrementAndGet);
        assertThat(given).as("the old one alone").hasValue(1);
        memory.written(old);
        assertThat(told).hasValue(1);
        memory.written(young);
        assertThat(memory.usedBytes()).isZero();
    }

    @Test
    void whatIsLargerThanEverythingIsTakenWhenNothingElseIs() {
        AtomicInteger told = new AtomicInteger();
        assertThat(memory.takeAll(2 * MAX_BYTES, told::incrementAndGet)).isTrue();
        assertThat(memory.takeAll(1, told::incrementAndGet)).isFalse();
        assertThat(memory.takeAll(MAX_BYTES, told::incrementAndGet)).isFalse();
        assertThat(memory.takeAll(1, told::incrementAndGet)).isFalse();
        assertThat(told).hasValue(1);

        memory.giveBack(2 * MAX_BYTES);
        assertThat(told).as("what fits, in the order in which it was wanted").hasValue(3);
        assertThat(memory.usedBytes()).isEqualTo(2);
        memory.giveBack(2);
        assertThat(told).hasValue(4);
    }
}
