package io.rivulet.broker.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.ApiVersionsRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A call whose handler throws on some other thread: its client must not wait for ever. */
class CallTest {
    private final ConnectionOfATest connection = new ConnectionOfATest();
    private final ByteBuf frame = UnpooledByteBufAllocator.DEFAULT.buffer(8);
    private final List<String> ended = new ArrayList<>();
    private final Call call = new Call(
            new Request(
                    ApiKey.API_VERSIONS,
                    (short) 0,
                    1,
                    "test",
                    new ApiVersionsRequest(),
                    frame,
                    () -> ended.add("ended")),
            connection);

    @AfterEach
    void stop() throws InterruptedException {
        connection.loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).await(10, TimeUnit.SECONDS);
    }

    /** What was handed to the event loop has been done. */
    private void settle() throws Exception {
        connection.loop.submit(() -> {}).get(10, TimeUnit.SECONDS);
        connection.loop.submit(() -> {}).get(10, TimeUnit.SECONDS);
    }

    @Test
    void withoutAnAnswerItsConnectionIsClosed() throws Exception {
        call.failed(new IllegalStateException("a bug"));
        settle();

        assertThat(connection.closed).hasSize(1);
        assertThat(frame.refCnt()).isZero();
        assertThat(ended).hasSize(1);
    }

    @Test
    void afterItsAnswerNothingIsFreedTwice() throws Exception {
        call.answerNothing();
        call.failed(new IllegalStateException("a bug"));
        settle();

        assertThat(connection.answered).containsExactly(call);
        assertThat(connection.closed).hasSize(1);
        assertThat(frame.refCnt()).isZero();
        assertThat(ended).hasSize(1);
    }

    @Test
    void anActionThatThrowsOnTheEventLoopClosesItToo() throws Exception {
        call.laterOnEventLoop(() -> {
            throw new IllegalStateException("a bug");
        });
        settle();

        assertThat(connection.closed).hasSize(1);
        assertThat(frame.refCnt()).isZero();
    }

    private static final class ConnectionOfATest implements Call.Origin {
        private final DefaultEventLoop loop = new DefaultEventLoop();
        private final List<Call> answered = new ArrayList<>();
        private final List<String> closed = new ArrayList<>();

        @Override
        public EventLoop eventLoop() {
            return loop;
        }

        @Override
        public ByteBufAllocator allocator() {
            return UnpooledByteBufAllocator.DEFAULT;
        }

        @Override
        public Call.Endpoint advertised() {
            return new Call.Endpoint("localhost", 9092);
        }

        @Override
        public String clientHost() {
            return "";
        }

        @Override
        public boolean isOpen() {
            return closed.isEmpty();
        }

        @Override
        public void ended(Call call) {
            answered.add(call);
        }

        @Override
        public void pause() {}

        @Override
        public void resume() {}

        @Override
        public void close(String reason) {
            closed.add(reason);
        }
    }
}
