package io.rivulet.broker.call;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.ApiVersionsRequest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A call whose handler throws on some other thread: its client must not wait for ever. */
class CallTest {
    private final ConnectionOfATest connection = new ConnectionOfATest();
    private final ByteBuf frame = UnpooledByteBufAllocator.DEFAULT.buffer(8);
    private final List<String> ended = new ArrayList<>();
    private final Call call = new Call(
            new Request(
                    TestRoutes.of(ApiKey.API_VERSIONS),
                    (short) 0,
                    1,
                    "test",
                    new ApiVersionsRequest(),
                    frame,
                    () -> ended.add("ended")),
            connection);

    @AfterEach
    void stop() throws InterruptedException {
        connection.close();
    }

    @Test
    void withoutAnAnswerItsConnectionIsClosed() throws Exception {
        call.failed(new IllegalStateException("a bug"));
        connection.settle();

        assertThat(connection.closed()).hasSize(1);
        assertThat(frame.refCnt()).isZero();
        assertThat(ended).hasSize(1);
    }

    @Test
    void afterItsAnswerNothingIsFreedTwice() throws Exception {
        call.answerNothing();
        call.failed(new IllegalStateException("a bug"));
        connection.settle();

        assertThat(connection.answered()).containsExactly(call);
        assertThat(connection.closed()).hasSize(1);
        assertThat(frame.refCnt()).isZero();
        assertThat(ended).hasSize(1);
    }

    @Test
    void anActionThatThrowsOnTheEventLoopClosesItToo() throws Exception {
        call.laterOnEventLoop(() -> {
            throw new IllegalStateException("a bug");
        });
        connection.settle();

        assertThat(connection.closed()).hasSize(1);
        assertThat(frame.refCnt()).isZero();
    }
}
