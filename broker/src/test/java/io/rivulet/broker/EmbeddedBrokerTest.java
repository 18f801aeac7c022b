package io.rivulet.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A broker in the process of an application. */
final class EmbeddedBrokerTest {
    @Test
    void aFailedBrokerNotifiesItsOwnerClosesItsConnectionsAndCanBeClosed() throws Exception {
        CompletableFuture<Throwable> notified = new CompletableFuture<>();
        try (EmbeddedBroker broker = EmbeddedBroker.inMemoryOrTemp()
                        .onFailure(notified::complete)
                        .start();
                Socket client = connect(broker)) {
            assertThat(broker.failure()).isNull();
            client.setSoTimeout(30_000);
            StackOverflowError failure = new StackOverflowError("of a test");

            broker.fail(failure);

            assertThat(notified.get(30, TimeUnit.SECONDS)).isSameAs(failure);
            assertThat(broker.failure()).isSameAs(failure);
            assertThat(client.getInputStream().read()).isNegative();
        }
    }

    private static Socket connect(EmbeddedBroker broker) throws IOException {
        String servers = broker.bootstrapServers();
        return new Socket(
                InetAddress.getLoopbackAddress(), Integer.parseInt(servers.substring(servers.lastIndexOf(':') + 1)));
    }
}
