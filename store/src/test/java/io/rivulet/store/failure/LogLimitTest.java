package io.rivulet.store.failure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class LogLimitTest {
    private static final long WINDOW_NANOS = 60;

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
    private final LogLimit limit = new LogLimit(3, WINDOW_NANOS, nanos::get);
    private final List<String> lines = new ArrayList<>();

    @Test
    void tenThousandEventsMakeThreeLines() {
        for (int i = 0; i < 10_000; i++) {
            limit.log(lines::add);
        }

        assertThat(lines).containsExactly("", "", "");
    }

    @Test
    void theNextWindowSaysHowManyWereOmitted() {
        for (int i = 0; i < 10; i++) {
            limit.log(lines::add);
        }
        nanos.addAndGet(WINDOW_NANOS);
        limit.log(lines::add);
        limit.log(lines::add);

        assertThat(lines).containsExactly("", "", "", " (before that 7 more like this)", "");
    }
}
