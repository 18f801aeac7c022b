package io.rivulet.broker.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.Channel;
import io.netty.channel.embedded.EmbeddedChannel;
import io.rivulet.broker.config.ConnectionSettings;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class ConnectionLimitsTest {
    private final AtomicLong nanos = new AtomicLong();
    private final InetAddress here = address(1);
    private final InetAddress there = address(2);
    private final List<Channel> closing = new ArrayList<>();

    @Test
    void connectionsAreLimitedInAllAndForEachAddress() {
        ConnectionLimits limits = limits(4, 2, Map.of(there, 3), Integer.MAX_VALUE);

        assertThat(limits.opened(here, closing::add)).isNull();
        assertThat(limits.opened(here, closing::add)).isNull();
        assertThat(limits.opened(here, closing::add)).contains("max.connections.per.ip (2)");
        assertThat(limits.opened(there, closing::add)).isNull();
        assertThat(limits.opened(there, closing::add)).isNull();
        assertThat(limits.opened(there, closing::add)).contains("max.connections (4)");
        limits.closed(here);
        assertThat(limits.opened(there, closing::add)).isNull();
        limits.closed(here);
        assertThat(limits.opened(there, closing::add)).contains("max.connections.per.ip (3)");
        assertThat(limits.opened(here, closing::add)).isNull();
    }

    @Test
    void aNewConnectionTakesThePlaceOfTheOneThatIsIdleTheLongest() {
        ConnectionLimits limits = limits(4, 100, Map.of(), Integer.MAX_VALUE);
        EmbeddedChannel usedFirst = new EmbeddedChannel();
        EmbeddedChannel usedAgain = new EmbeddedChannel();
        EmbeddedChannel unusedFirst = new EmbeddedChannel();
        EmbeddedChannel unusedLast = new EmbeddedChannel();
        LongestIdle.Activity again = open(limits, usedAgain);
        open(limits, usedFirst).requested(true);
        open(limits, unusedFirst);
        open(limits, unusedLast);
        again.requested(true);

        for (EmbeddedChannel next : List.of(unusedFirst, unusedLast, usedFirst, usedAgain)) {
            assertThat(limits.opened(here, closing::add)).isNull();
            assertThat(closing).last().isSameAs(next);
        }
        assertThat(limits.opened(here, closing::add)).contains("max.connections (4)");
    }

    @Test
    void aConnectionThatWasUsedMeanwhileKeepsItsPlace() {
        LongestIdle idle = new LongestIdle(nanos::get);
        List<LongestIdle.Activity> open = new ArrayList<>();
        List<EmbeddedChannel> channels = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            nanos.incrementAndGet();
            channels.add(new EmbeddedChannel());
            open.add(idle.add(channels.get(i)));
        }
        assertThat(idle.take()).isSameAs(channels.get(0));
        open.get(1).requested(true);
        idle.remove(open.get(2));
        channels.get(2).close();
        assertThat(idle.take()).isSameAs(channels.get(3));
    }

    private LongestIdle.Activity open(ConnectionLimits limits, EmbeddedChannel channel) {
        nanos.incrementAndGet();
        assertThat(limits.opened(here, closing::add)).isNull();
        LongestIdle.Activity activity = limits.idle().add(channel);
        nanos.incrementAndGet();
        return activity;
    }

    @Test
    void theConnectionsOfASecondMayComeTogetherAndThenTheRateApplies() {
        ConnectionLimits limits = limits(1000, 1000, Map.of(), 10);

        for (int i = 0; i < 10; i++) {
            assertThat(limits.accepted("PLAINTEXT")).isZero();
        }
        long pause = limits.accepted("PLAINTEXT");
        assertThat(pause).isEqualTo(TimeUnit.MILLISECONDS.toNanos(100));
        nanos.addAndGet(pause);
        assertThat(limits.accepted("PLAINTEXT")).isEqualTo(TimeUnit.MILLISECONDS.toNanos(100));
    }

    @Test
    void aListenerMayHaveALowerRateOfItsOwn() {
        ConnectionLimits limits = limits(1000, 1000, Map.of(), 100);

        for (int i = 0; i < 5; i++) {
            assertThat(limits.accepted("SLOW")).isZero();
        }
        assertThat(limits.accepted("SLOW")).isEqualTo(TimeUnit.MILLISECONDS.toNanos(200));
        assertThat(limits.accepted("PLAINTEXT")).isZero();
    }

    private ConnectionLimits limits(int max, int perAddress, Map<InetAddress, Integer> byAddress, int rate) {
        ConnectionSettings settings =
                new ConnectionSettings(max, perAddress, "", byAddress, rate, Map.of("slow", 5), 0, -1);
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
