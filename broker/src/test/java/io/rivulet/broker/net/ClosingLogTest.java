package io.rivulet.broker.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class ClosingLogTest {
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
    private final ClosingLog log = new ClosingLog(nanos::get);

    @Test
    void onlyTheFirstClosingsOfAWindowAreLogged() {
        long written = IntStream.range(0, 10_000).filter(i -> log.next() >= 0).count();

        assertThat(written).isEqualTo(ClosingLog.LINES_IN_WINDOW);
    }

    @Test
    void theNextWindowHasTheNumberOfOmittedClosings() {
        IntStream.range(0, ClosingLog.LINES_IN_WINDOW + 7).forEach(i -> log.next());
        nanos.addAndGet(ClosingLog.WINDOW_NANOS);

        assertThat(log.next()).isEqualTo(7);
        assertThat(log.next()).isZero();
    }
}
