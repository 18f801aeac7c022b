package io.rivulet.broker.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.call.ResponseMemory;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Short answers are charged when a client leaves more than a few KiB of them unread. */
final class UnreadAnswersTest {
    private static final int KIB = 1 << 10;

    private final ResponseMemory memory = new ResponseMemory(100 * KIB, Integer.MAX_VALUE, System::nanoTime);
    private final UnreadAnswers answers = new UnreadAnswers(memory, () -> {});

    @Test
    void fewBytesAreNotCharged() {
        answers.add(4 * KIB);
        assertThat(memory.usedBytes()).isZero();
    }

    @Test
    void moreBytesAreChargedUntilTheyAreRead() {
        answers.add(10 * KIB);
        answers.add(10 * KIB);
        assertThat(memory.usedBytes()).isEqualTo(20 * KIB);

        answers.remove(10 * KIB);
        assertThat(memory.usedBytes()).isEqualTo(10 * KIB);
        answers.remove(10 * KIB);
        assertThat(memory.usedBytes()).isZero();
    }

    @Test
    void withoutFreeMemoryOnlyAClientThatHasReadItsAnswersGetsMore() {
        UnreadAnswers other = new UnreadAnswers(memory, () -> {});
        AtomicInteger again = new AtomicInteger();
        answers.add(100 * KIB);

        assertThat(other.mayAdd(again::incrementAndGet)).isTrue();
        assertThat(answers.mayAdd(again::incrementAndGet)).isFalse();
        assertThat(answers.mayAdd(again::incrementAndGet)).isFalse();

        answers.remove(100 * KIB);
        assertThat(again).hasValue(1);
        assertThat(answers.mayAdd(again::incrementAndGet)).isTrue();
    }
}
