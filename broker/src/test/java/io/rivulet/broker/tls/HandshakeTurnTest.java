package io.rivulet.broker.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.rivulet.store.failure.FailureLatch;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Time stands still until a test advances it. */
final class HandshakeTurnTest {
    private static final int QUARTER_MILLIS = 250;

    private final Handshakes handshakes = new Handshakes(1, 1, new FailureLatch());
    private final CountDownLatch busy = new CountDownLatch(1);
    private EmbeddedChannel channel;

    @BeforeEach
    void connect() throws Exception {
        SelfSigned own = ClientSockets.certificate("server");
        SslContext keys = SslContextBuilder.forServer(bytes(own.certificate()), bytes(own.privateKey()))
                .sslProvider(SslProvider.JDK)
                .build();
        channel = new EmbeddedChannel();
        channel.freezeTime();
        channel.pipeline().addLast(new HandshakeTurn(handshakes, () -> keys));
        channel.runPendingTasks();
    }

    @AfterEach
    void end() {
        busy.countDown();
        channel.finishAndReleaseAll();
        handshakes.close();
    }

    private static InputStream bytes(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static byte[] hello() throws Exception {
        SSLEngine client = ClientSockets.context(null).createSSLEngine();
        client.setUseClientMode(true);
        ByteBuffer record = ByteBuffer.allocate(client.getSession().getPacketBufferSize());
        client.wrap(ByteBuffer.allocate(0), record);
        byte[] bytes = new byte[record.flip().remaining()];
        record.get(bytes);
        return bytes;
    }

    /** Time in steps, between which the event loop does its work. */
    private void after(int quartersOfASecond) {
        for (int i = 0; i < quartersOfASecond; i++) {
            channel.advanceTimeBy(QUARTER_MILLIS, TimeUnit.MILLISECONDS);
            channel.runPendingTasks();
            channel.checkException();
        }
    }

    @Test
    void aSilentClientHasTenSeconds() {
        assertThatCode(() -> after(39)).doesNotThrowAnyException();
        assertThatThrownBy(() -> after(1)).isInstanceOf(SSLHandshakeException.class);
    }

    @Test
    void aSilentClientHasThreeSecondsIfOthersWait() {
        handshakes.enter(() -> {});

        assertThatCode(() -> after(11)).doesNotThrowAnyException();
        assertThatThrownBy(() -> after(1)).isInstanceOf(SSLHandshakeException.class);
    }

    /** The only thread for handshakes does nothing else until the test ends. */
    private void occupyWorker() {
        handshakes.workers().execute(() -> {
            try {
                busy.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    @Test
    void timeInWhichTheBrokerIsBusyDoesNotCount() throws Exception {
        occupyWorker();
        handshakes.enter(() -> {});
        channel.writeInbound(Unpooled.wrappedBuffer(hello()));

        assertThatCode(() -> after(240)).doesNotThrowAnyException();
    }

    /** Otherwise clients that disconnect after their first message could make any amount of work. */
    @Test
    void aClientThatDisconnectsKeepsItsTurnWhileWorkForItWaits() throws Exception {
        occupyWorker();
        CountDownLatch next = new CountDownLatch(1);
        handshakes.enter(next::countDown);
        channel.writeInbound(Unpooled.wrappedBuffer(hello()));

        channel.unsafe().close(channel.newPromise()); // without a message of TLS

        assertThat(handshakes.someWait()).isTrue();
        busy.countDown();
        assertThat(next.await(10, TimeUnit.SECONDS)).isTrue();
    }
}
