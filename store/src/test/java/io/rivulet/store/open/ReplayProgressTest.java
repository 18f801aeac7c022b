package io.rivulet.store.open;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class ReplayProgressTest {
    private static final long TOTAL_BYTES = 1000L << 20;

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
    private final List<String> lines = new ArrayList<>();
    private final ReplayProgress progress = new ReplayProgress(TOTAL_BYTES, nanos::get, lines::add);

    private void replay(int fromMib, int toMib, long millisPerMib) {
        for (long mib = fromMib; mib <= toMib; mib++) {
            progress.at(mib << 20);
            nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(millisPerMib));
        }
    }

    @Test
    void aLongReplayHasALineAfterASecondAndThenEveryFive() {
        replay(0, 999, 10);
        assertThat(progress.isLong()).isTrue();

        assertThat(lines)
                .containsExactly(
                        "Replaying the log: 10 % of 1000 MiB, 100 MiB/s",
                        "Replaying the log: 60 % of 1000 MiB, 100 MiB/s");
        assertThat(progress.end(7)).isEqualTo("Replayed 1000 MiB of the log in 10000 ms, 100 MiB/s; 7 queues");
    }

    @Test
    void aShortReplayHasNoLine() {
        replay(0, 90, 10);

        assertThat(lines).isEmpty();
        assertThat(progress.isLong()).isFalse();
    }
}
