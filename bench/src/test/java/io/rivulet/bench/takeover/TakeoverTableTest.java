package io.rivulet.bench.takeover;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class TakeoverTableTest {
    @Test
    void takeoversOfBrokersWithAndWithoutTheirDirectoryAreApart() {
        List<Takeover> takeovers =
                List.of(killed(true, 12_000), killed(false, 9_000), killed(false, 8_000), killed(false, 8_200));

        String all = Step.ALL.title();
        assertThat(TakeoverTable.of(takeovers).lines().skip(2))
                .containsExactly(
                        "| kill -9, the next owner had the shard before | " + all + " | 3 | 8,200 | 9,000 |",
                        "| kill -9, the next owner never had the shard | " + all + " | 1 | 12,000 | 12,000 |");
    }

    private static Takeover killed(boolean first, double millis) {
        return new Takeover(Takeover.Kind.KILLED, first, 2, Map.of(Step.ALL, millis));
    }
}
