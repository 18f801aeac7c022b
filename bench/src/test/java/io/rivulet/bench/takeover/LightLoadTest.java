package io.rivulet.bench.takeover;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class LightLoadTest {
    @Test
    void aClientGoesOnAfterItsLongestTimeWithoutAnAcknowledgement() {
        // Given the end of the owner at 100, two acknowledgements that were on their way, and one later hiccup
        List<Long> acknowledged = List.of(100L, 103L, 110L, 9_100L, 9_110L, 9_400L, 9_410L);

        assertThat(LightLoad.endOfLongestGap(acknowledged)).isEqualTo(9_100);
    }

    @Test
    void withoutAnAcknowledgementItDoesNotGoOn() {
        assertThat(LightLoad.endOfLongestGap(List.of(100L))).isEqualTo(100);
    }
}
