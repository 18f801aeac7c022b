package io.rivulet.store.log.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Waiting for a thread that waits for the disk has a limit when the log closes. */
class DiskWaitTest {
    @Test
    void aWaitOfALogThatClosesHasALimit() {
        DiskWait wait = new DiskWait(20);
        wait.limit();

        assertThatThrownBy(() -> wait.until(new Object(), () -> false, () -> 0))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("the disk has not responded for 20 ms");
    }

    @Test
    void aWaitLastsAsLongAsThereIsProgress() throws IOException {
        int[] steps = {0};
        DiskWait wait = new DiskWait(1);
        wait.limit();

        wait.until(new Object(), () -> steps[0] >= 10, () -> ++steps[0]);

        assertThat(steps[0]).isGreaterThanOrEqualTo(10);
    }

    @Test
    void aWaitOfAnOpenLogHasNoLimit() throws IOException {
        int[] looks = {0};

        new DiskWait(1).until(new Object(), () -> ++looks[0] >= 10, () -> 0);

        assertThat(looks[0]).isGreaterThanOrEqualTo(10);
    }

    @Test
    void anInterruptIsKeptForLater() throws IOException {
        Thread.currentThread().interrupt();
        int[] steps = {0};

        new DiskWait(1).until(new Object(), () -> steps[0] >= 3, () -> ++steps[0]);

        assertThat(Thread.interrupted()).isTrue();
    }
}
