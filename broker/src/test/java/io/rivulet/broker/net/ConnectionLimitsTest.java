package io.rivulet.broker.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.config.ConnectionSettings;
import java.net.InetAddress;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class ConnectionLimitsTest {
    private final AtomicLong nanos = new AtomicLong();
    private final InetAddress here = address(1);
    private final InetAddress there = address(2);

    @Test
    void connectionsAreLimitedInAllAndForEachAddress() {
        ConnectionLimits limits = limits(4, 2, Map.of(there, 3), Integer.MAX_VALUE);

        assertThat(limits.opened(here)).isNull();
        assertThat(limits.opened(here)).isNull();
        assertThat(limits.opened(here)).contains("max.connections.per.ip (2)");
        assertThat(limits.opened(there)).isNull();
        assertThat(limits.opened(there)).isNull();
        assertThat(limits.opened(there)).contains("max.connections (4)");
        limits.closed(here);
        assertThat(limits.opened(there)).isNull();
        limits.closed(here);
        assertThat(limits.opened(there)).contains("max.connections.per.ip (3)");
        assertThat(limits.opened(here)).isNull();
    }

    @Test
    void theConnectionsOfASecondMayComeTogetherAndThenTheRateApplies() {
        ConnectionLimits limits = limits(1000, 1000, Map.of(), 10);

        for (int i = 0; i < 10; i++) {
            assertThat(limits.accepted()).isZero();
        }
        long pause = limits.accepted();
        assertThat(pause).isEqualTo(TimeUnit.MILLISECONDS.toNanos(100));
        nanos.addAndGet(pause);
        assertThat(limits.accepted()).isEqualTo(TimeUnit.MILLISECONDS.toNanos(100));
    }

    private ConnectionLimits limits(int max, int perAddress, Map<InetAddress, Integer> byAddress, int rate) {
        ConnectionSettings settings = new ConnectionSettings(max, perAddress, "", byAddress, rate, 0, -1);
        return new ConnectionLimits(() -> settings, nanos::get);
    }

    private static InetAddress address(int last) {
        try {
            return InetAddress.getByAddress(new byte[] {10, 0, 0, (byte) last});
        } catch (java.net.UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }
}
