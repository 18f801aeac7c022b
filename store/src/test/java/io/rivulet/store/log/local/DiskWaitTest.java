package io.rivulet.store.log.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Waiting for a thread that waits for the disk has a limit. */
class DiskWaitTest {
    @Test
    void aWaitForADiskThatDoesNotRespondHasALimit() {
        assertThatThrownBy(() -> DiskWait.until(new Object(), () -> false, () -> 0, 20))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("the disk has not responded for 20 ms");
    }

    @Test
    void aWaitLastsAsLongAsThereIsProgress() throws IOException {
        int[] steps = {0};

        DiskWait.until(new Object(), () -> steps[0] >= 10, () -> ++steps[0], 1);

        assertThat(steps[0]).isGreaterThanOrEqualTo(10);
    }

    @Test
    void anInterruptIsKeptForLater() throws IOException {
        Thread.currentThread().interrupt();
        int[] steps = {0};

        DiskWait.until(new Object(), () -> steps[0] >= 3, () -> ++steps[0], 1);

        assertThat(Thread.interrupted()).isTrue();
    }
}
