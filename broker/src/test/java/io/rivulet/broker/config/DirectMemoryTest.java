package io.rivulet.broker.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The sum of all direct memory is known at the start. */
final class DirectMemoryTest {
    private static final long MIB = 1 << 20;

    @Test
    void withEnoughMemoryTheDefaultsApply() {
        BrokerConfig config = BrokerConfig.of(Map.of(), 2048 * MIB);

        assertThat(config.maxRequestBytes()).isEqualTo(100 * MIB);
        assertThat(config.requestBytes()).isEqualTo(256 * MIB);
        assertThat(config.responseBytes()).isEqualTo(128 * MIB);
        assertThat(config.store().tailBytes()).isEqualTo(256 * MIB);
        assertThat(config.store().cacheBytes()).isEqualTo(64 * MIB);
        assertThat(config.store().log().groupCount()).isEqualTo(12);
    }

    @ParameterizedTest
    @ValueSource(ints = {144, 192, 256, 300, 512, 700, 1024, 4096})
    void withLessMemoryNoKeyHasToBeSet(int directMib) {
        BrokerConfig config = BrokerConfig.of(Map.of(), directMib * MIB);

        assertThat(config.maxRequestBytes()).isGreaterThanOrEqualTo((int) (4 * MIB));
        assertThat(config.requestBytes()).isGreaterThanOrEqualTo(2L * config.maxRequestBytes());
        assertThat(config.values().text(BrokerKey.TAIL_BYTES))
                .isEqualTo(Long.toString(config.store().tailBytes()));
    }

    @Test
    void aSumThatIsTooLargeFailsWithAllTerms() {
        assertThatThrownBy(() -> BrokerConfig.of(Map.of("rivulet.tail.bytes", "268435456"), 256 * MIB))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll("-XX:MaxDirectMemorySize", "rivulet.tail.bytes 268435456", "log groups");
    }

    @Test
    void twoRequestsOfTheLargestSizeFit() {
        assertThat(BrokerConfig.of(Map.of("socket.request.max.bytes", "200000000"), 4096 * MIB)
                        .requestBytes())
                .isEqualTo(400_000_000);
        assertThat(BrokerConfig.of(Map.of("queued.max.request.bytes", "20000000"), 4096 * MIB)
                        .maxRequestBytes())
                .isEqualTo(10_000_000);
        Map<String, String> tooLittle =
                Map.of("queued.max.request.bytes", "200000000", "socket.request.max.bytes", "104857600");
        assertThatThrownBy(() -> BrokerConfig.of(tooLittle, 4096 * MIB))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll("queued.max.request.bytes", "200000000", "104857600");
    }

    @Test
    void addressesMayHaveTheirOwnLimits() {
        assertThat(ConnectionSettings.parseOverrides("127.0.0.1:2, 10.0.0.1:0,").values())
                .containsExactlyInAnyOrder(2, 0);
        assertThatThrownBy(() -> ConnectionSettings.parseOverrides("127.0.0.1")).isInstanceOf(ConfigException.class);
    }
}
