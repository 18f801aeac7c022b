package io.rivulet.broker.call;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.ApiVersionsRequest;
import io.rivulet.protocol.message.ApiVersionsResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A call ends once, by one of three exits, and frees its resources once. */
class CallTest {
    private final ConnectionOfATest connection = new ConnectionOfATest();
    private final ByteBuf frame = UnpooledByteBufAllocator.DEFAULT.buffer(8);
    private final ByteBuf answer = UnpooledByteBufAllocator.DEFAULT.buffer(8);
    private final List<String> ended = new ArrayList<>();
    private final AtomicInteger written = new AtomicInteger();
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
    void aFailureClosesTheConnection() throws Exception {
        call.fail(new IllegalStateException("a bug"));
        connection.settle();

        assertThat(connection.closed()).hasSize(1);
        assertThat(frame.refCnt()).isZero();
        assertThat(ended).hasSize(1);
    }

    @Test
    void aFailureAfterTheAnswerFreesNothingTwice() throws Exception {
        call.discard();
        call.fail(new IllegalStateException("a bug"));
        connection.settle();

        assertThat(connection.answered()).containsExactly(call);
        assertThat(connection.closed()).hasSize(1);
        assertThat(frame.refCnt()).isZero();
        assertThat(ended).hasSize(1);
    }

    @Test
    void aCallWhoseAnswerIsTakenKeepsNoMessage() throws Exception {
        ApiVersionsResponse message = new ApiVersionsResponse();
        call.answer(message);
        connection.settle();

        assertThat(call.take()).isSameAs(message);
        assertThat(call.isDecoded()).isFalse();
        assertThat(call.take()).isNull();
    }

    @Test
    void anActionThatThrowsOnTheEventLoopClosesTheConnection() throws Exception {
        call.laterOnEventLoop(() -> {
            throw new IllegalStateException("a bug");
        });
        connection.settle();

        assertThat(connection.closed()).hasSize(1);
        assertThat(frame.refCnt()).isZero();
    }

    @Test
    void anAnswerIsTakenOnlyOnce() throws Exception {
        call.answer(new ApiVersionsResponse(), List.of(answer), this::written);
        connection.settle();

        assertThat(connection.answered()).containsExactly(call);
        assertThat(call.take()).isNotNull();
        assertThat(call.take()).isNull();
        assertThat(call.buffers()).containsExactly(answer);
        assertThat(frame.refCnt()).isZero();
        assertThat(ended).hasSize(1);
        assertThat(written).hasValue(0);
    }

    @Test
    void aDiscardedCallHasNoAnswer() throws Exception {
        call.discard();
        connection.settle();

        assertThat(call.hasEnded()).isTrue();
        assertThat(call.take()).isNull();
        assertThat(connection.answered()).containsExactly(call);
        assertThat(connection.closed()).isEmpty();
    }

    @Test
    void anAnswerToACallThatHasFailedIsFreed() throws Exception {
        call.fail("a test");
        call.answer(new ApiVersionsResponse(), List.of(answer), this::written);
        connection.settle();

        assertThat(connection.answered()).isEmpty();
        assertThat(connection.closed()).containsExactly("a test");
        assertThat(answer.refCnt()).isZero();
        assertThat(written).hasValue(1);
        assertThat(ended).hasSize(1);
    }

    /** The client would take the second answer for that of its next request. */
    @Test
    void aSecondAnswerClosesTheConnectionAndKeepsTheFirst() throws Exception {
        ApiVersionsResponse first = new ApiVersionsResponse();
        call.answer(first, List.of(), () -> {});
        call.answer(new ApiVersionsResponse(), List.of(answer), this::written);
        connection.settle();

        assertThat(connection.closed()).hasSize(1);
        assertThat(call.take()).isSameAs(first);
        assertThat(answer.refCnt()).isZero();
        assertThat(written).hasValue(1);
    }

    @Test
    void aWaitingAnswerThatIsGivenUpTwiceIsFreedOnce() throws Exception {
        call.answer(new ApiVersionsResponse(), List.of(answer), this::written);
        call.giveUp();
        call.giveUp();
        connection.settle();

        assertThat(connection.closed()).hasSize(1);
        assertThat(call.take()).isNull();
        assertThat(answer.refCnt()).isZero();
        assertThat(written).hasValue(1);
    }

    @Test
    void onlyTheConnectionFreesAnAnswerThatWasTaken() throws Exception {
        call.answer(new ApiVersionsResponse(), List.of(answer), this::written);
        connection.settle();
        call.take();
        call.giveUp();
        connection.settle();

        assertThat(connection.closed()).hasSize(1);
        assertThat(answer.refCnt()).isEqualTo(1);
        assertThat(written).hasValue(0);
    }

    @Test
    void afterTheEndOfTheEventLoopEverythingIsFreedImmediately() throws Exception {
        connection.close();

        call.answer(new ApiVersionsResponse(), List.of(answer), this::written);
        call.discard();
        call.fail("a test");

        assertThat(frame.refCnt()).isZero();
        assertThat(answer.refCnt()).isZero();
        assertThat(ended).hasSize(1);
        assertThat(written).hasValue(1);
    }

    private void written() {
        written.incrementAndGet();
    }
}
