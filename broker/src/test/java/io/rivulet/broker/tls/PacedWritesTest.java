package io.rivulet.broker.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class PacedWritesTest {
    private static final int SLICE = 64 << 10;

    /** A client that reads nothing until it is told to. */
    private final Client client = new Client();

    private final EmbeddedChannel channel = new EmbeddedChannel(client, new PacedWrites());

    private static final class Client extends ChannelOutboundHandlerAdapter {
        private final List<Integer> sizes = new ArrayList<>();

        @Override
        public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) throws Exception {
            sizes.add(((ByteBuf) message).readableBytes());
            writable(context.channel().unsafe().outboundBuffer(), false);
            super.write(context, message, promise);
        }

        private static void writable(ChannelOutboundBuffer buffer, boolean writable) {
            buffer.setUserDefinedWritability(1, writable);
        }
    }

    private void read() {
        Client.writable(channel.unsafe().outboundBuffer(), true);
        channel.runPendingTasks();
    }

    private ChannelFuture write(int bytes) {
        return channel.write(Unpooled.wrappedBuffer(new byte[bytes]));
    }

    @Test
    void aLongAnswerIsPassedOnAsItIsRead() {
        ChannelFuture written = write(3 * SLICE);
        channel.flush();
        assertThat(client.sizes).containsExactly(SLICE);
        read();
        assertThat(client.sizes).containsExactly(SLICE, SLICE);
        assertThat(written.isDone()).isFalse();
        read();
        assertThat(client.sizes).containsExactly(SLICE, SLICE, SLICE);
        assertThat(written.isSuccess()).isTrue();
        read();
        assertThat(client.sizes).hasSize(3);
        channel.releaseOutbound();
    }

    @Test
    void shortAnswersArePassedOnTogether() {
        ChannelFuture first = write(10);
        ChannelFuture second = write(SLICE);
        ChannelFuture third = write(20);
        assertThat(client.sizes).isEmpty();
        channel.flush();
        assertThat(client.sizes).containsExactly(10, SLICE - 10);
        assertThat(first.isSuccess()).isTrue();
        read();
        assertThat(client.sizes).containsExactly(10, SLICE - 10, 10, 20);
        assertThat(second.isSuccess()).isTrue();
        assertThat(third.isSuccess()).isTrue();
        channel.releaseOutbound();
    }

    @Test
    void anAnswerThatIsNotFlushedWaits() {
        write(10);
        channel.flush();
        ChannelFuture later = write(20);
        read();
        assertThat(client.sizes).containsExactly(10);
        channel.flush();
        assertThat(later.isSuccess()).isTrue();
        channel.releaseOutbound();
    }

    @Test
    void answersOfAClosedConnectionFailAndFreeTheirMemory() {
        ByteBuf bytes = Unpooled.wrappedBuffer(new byte[3 * SLICE]);
        ChannelFuture written = channel.write(bytes);
        ChannelFuture later = write(10);
        channel.flush();
        channel.releaseOutbound();
        channel.finishAndReleaseAll();
        assertThat(written.isSuccess()).isFalse();
        assertThat(written.isDone()).isTrue();
        assertThat(later.isDone()).isTrue();
        assertThat(bytes.refCnt()).isZero();
    }
}
