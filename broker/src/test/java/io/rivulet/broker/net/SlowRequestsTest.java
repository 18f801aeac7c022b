package io.rivulet.broker.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.ConnectionOfATest;
import io.rivulet.broker.call.Request;
import io.rivulet.broker.call.Route;
import io.rivulet.broker.call.Timing;
import io.rivulet.protocol.message.ApiKey;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class SlowRequestsTest {
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
    private final ConnectionOfATest origin = new ConnectionOfATest();
    private final SlowRequests slow = new SlowRequests(10, nanos::get);

    @AfterEach
    void close() throws Exception {
        origin.close();
    }

    private Call started(SlowRequests requests, ApiKey key) {
        Request request = new Request(
                Route.of(key, (call, message) -> {}),
                (short) 3,
                1,
                "an app",
                Request.OF_UNKNOWN_VERSION,
                Unpooled.EMPTY_BUFFER,
                Request::nothing);
        Call call = new Call(request, origin);
        requests.started(call, 70);
        return call;
    }

    private void pass(long millis) {
        nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
    }

    @Test
    void aSlowRequestHasALineAndAFastOneHasNone() {
        Call call = started(slow, ApiKey.PRODUCE);
        pass(9);
        assertThat(slow.line(call, "/10.0.0.1:5", 80)).isNull();

        pass(1);
        assertThat(slow.line(call, "/10.0.0.1:5", 80))
                .isEqualTo("Slow request: Produce v3 of client 'an app' at /10.0.0.1:5 took 10 ms, 70 bytes in, 80"
                        + " bytes out");
    }

    @Test
    void theTimeThatAFetchWaitsForRecordsDoesNotCount() {
        Call call = started(slow, ApiKey.FETCH);
        Timing timing = Objects.requireNonNull(call.timing());
        pass(505);
        timing.waited(TimeUnit.MILLISECONDS.toNanos(500));
        assertThat(slow.line(call, "", 0)).isNull();

        pass(20);
        assertThat(slow.line(call, "", 0)).contains(" took 25 ms after 500 ms of waiting for records,");
    }

    @Test
    void requestsThatWaitForOtherMembersAreLeftOut() {
        assertThat(started(slow, ApiKey.JOIN_GROUP).timing()).isNull();
        assertThat(started(slow, ApiKey.SYNC_GROUP).timing()).isNull();
    }

    @Test
    void withoutAThresholdNothingIsTimed() {
        assertThat(started(new SlowRequests(0, nanos::get), ApiKey.PRODUCE).timing())
                .isNull();
    }

    @Test
    void manySlowRequestsMakeFewLines() {
        Call call = started(slow, ApiKey.PRODUCE);
        pass(50);

        assertThat(IntStream.range(0, 10_000).filter(i -> slow.line(call, "", 0) != null))
                .hasSize(SlowRequests.LINES_A_MINUTE);
        pass(60_000);
        assertThat(slow.line(call, "", 0)).endsWith("(before that 9980 more like this)");
    }
}
