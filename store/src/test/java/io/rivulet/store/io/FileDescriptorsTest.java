package io.rivulet.store.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class FileDescriptorsTest {
    @Test
    void theSharesNeverExceedTheLimit() {
        for (int limit = 100; limit < 1_100_000; limit += 97) {
            FileDescriptors shares = new FileDescriptors(limit);

            assertThat(shares.forStore() + shares.forConnections()).isLessThan(limit);
            assertThat(shares.forReading()).isPositive().isLessThan(shares.forStore());
        }
    }

    @Test
    void theLimitIsTheSoftOne() {
        List<String> lines = List.of(
                "Limit                     Soft Limit           Hard Limit           Units     ",
                "Max processes             94000                94000                processes ",
                "Max open files            250                  1048576              files     ");

        assertThat(FileDescriptors.limitIn(lines)).isEqualTo(250);
    }

    @Test
    void noLimitIsAHighOne() {
        assertThat(FileDescriptors.limitIn(List.of("Max open files            unlimited   unlimited   files")))
                .isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void thisProcessHasALimit() {
        assertThat(FileDescriptors.ofThisProcess().limit()).isGreaterThan(100);
    }
}
