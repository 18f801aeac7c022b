package io.rivulet.broker.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import io.rivulet.broker.config.BrokerConfig;
import io.rivulet.store.failure.FailureLatch;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class AcceptorTest {
    @Test
    void theNextConnectionIsAcceptedWhenTheLastHasItsPlace() {
        EmbeddedChannel socket = socket("");
        EmbeddedChannel connection = new EmbeddedChannel();

        socket.pipeline().fireChannelRead(connection);
        socket.runScheduledPendingTasks();
        boolean before = socket.config().isAutoRead();
        connection.runPendingTasks();
        socket.runScheduledPendingTasks();

        assertThat(before).isFalse();
        assertThat(socket.config().isAutoRead()).isTrue();
    }

    @Test
    void aRateDelaysTheNextConnection() {
        EmbeddedChannel socket = socket("1");
        boolean first = acceptsAnotherAfterOne(socket);
        boolean second = acceptsAnotherAfterOne(socket);

        socket.advanceTimeBy(1, TimeUnit.SECONDS);
        socket.runScheduledPendingTasks();

        assertThat(first).isTrue();
        assertThat(second).isFalse();
        assertThat(socket.config().isAutoRead()).isTrue();
    }

    @Test
    void afterAFailureNothingIsAcceptedForASecond() {
        EmbeddedChannel socket = socket("");

        socket.pipeline().fireExceptionCaught(new IOException("Too many open files"));
        socket.advanceTimeBy(999, TimeUnit.MILLISECONDS);
        socket.runScheduledPendingTasks();
        boolean before = socket.config().isAutoRead();
        socket.advanceTimeBy(1, TimeUnit.MILLISECONDS);
        socket.runScheduledPendingTasks();

        assertThat(before).isFalse();
        assertThat(socket.config().isAutoRead()).isTrue();
    }

    private static boolean acceptsAnotherAfterOne(EmbeddedChannel socket) {
        EmbeddedChannel connection = new EmbeddedChannel();
        socket.pipeline().fireChannelRead(connection);
        connection.runPendingTasks();
        socket.runScheduledPendingTasks();
        return socket.config().isAutoRead();
    }

    /** @param rate connections a second; not limited if it is empty */
    private EmbeddedChannel socket(String rate) {
        BrokerConfig config = BrokerConfig.of(rate.isEmpty() ? Map.of() : Map.of("max.connection.creation.rate", rate));
        EmbeddedChannel socket = new EmbeddedChannel();
        socket.freezeTime();
        socket.pipeline()
                .addLast(new Acceptor("L", new ConnectionLimits(config::connections, () -> 0), new FailureLatch()));
        return socket;
    }
}
