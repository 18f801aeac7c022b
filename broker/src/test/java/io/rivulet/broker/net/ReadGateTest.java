package io.rivulet.broker.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The socket is read only while no reason stops it. */
final class ReadGateTest {
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final ReadGate gate = new ReadGate(channel);

    @Test
    void itOpensWhenTheLastReasonEnds() {
        AtomicInteger opened = new AtomicInteger();
        gate.whenOpened(opened::incrementAndGet);
        gate.set(ReadGate.MEMORY, false);
        gate.set(ReadGate.CALLS, false);
        assertThat(channel.config().isAutoRead()).isFalse();

        gate.set(ReadGate.MEMORY, true);
        assertThat(gate.isStoppedBy(ReadGate.CALLS)).isTrue();
        assertThat(opened).hasValue(0);

        gate.set(ReadGate.CALLS, true);
        assertThat(opened).hasValue(1);
        assertThat(channel.config().isAutoRead()).isTrue();
    }

    @Test
    void itStaysClosedIfItsActionStopsItAgain() {
        gate.whenOpened(() -> gate.set(ReadGate.CALLS, false));
        gate.set(ReadGate.MEMORY, false);

        gate.set(ReadGate.MEMORY, true);

        assertThat(gate.isOpen()).isFalse();
        assertThat(channel.config().isAutoRead()).isFalse();
    }
}
