package io.rivulet.broker.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.rivulet.broker.call.Request;
import io.rivulet.broker.call.Route;
import io.rivulet.broker.call.RouteTable;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.ApiVersionsRequest;
import io.rivulet.protocol.message.FindCoordinatorRequest;
import io.rivulet.protocol.message.MetadataRequest;
import io.rivulet.protocol.message.ProduceRequest;
import io.rivulet.protocol.message.ProduceRequest.TopicProduceData;
import io.rivulet.protocol.message.RequestHeader;
import io.rivulet.protocol.wire.MalformedRequestException;
import io.rivulet.protocol.wire.Message;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Frames become requests. A frame is kept only if it is still needed. */
final class RequestDecoderTest {
    private static final int LARGEST = 8 << 20;

    private final RequestMemory memory = new RequestMemory(3L * LARGEST, LARGEST, 1000, System::nanoTime);
    private final RequestDecoder decoder = new RequestDecoder(routes());

    private static RouteTable routes() {
        RouteTable table = new RouteTable();
        table.add(List.of(
                Route.of(ApiKey.API_VERSIONS, (call, request) -> {}),
                Route.of(ApiKey.METADATA, (call, request) -> {}),
                Route.of(ApiKey.PRODUCE, (call, request) -> {}).keepingFrame()));
        return table;
    }

    @AfterEach
    void allMemoryIsReleased() {
        assertThat(memory.usedBytes()).isZero();
    }

    @Test
    void aRequestIsDecodedAndItsFrameIsFreed() {
        Frame frame = frame(ApiKey.METADATA, 12, new MetadataRequest().allowAutoTopicCreation(false));

        Request request = decoder.decode(frame);

        assertThat(request.route().key()).isEqualTo(ApiKey.METADATA);
        assertThat(request.version()).isEqualTo((short) 12);
        assertThat(request.correlationId()).isEqualTo(4711);
        assertThat(request.clientId()).isEqualTo("test");
        assertThat(request.body()).isEqualTo(new MetadataRequest().allowAutoTopicCreation(false));
        assertThat(frame.bytes().refCnt()).isZero();
    }

    /** Kafka does the same: librdkafka adds three bytes to a request for all topics. */
    @Test
    void bytesBehindARequestAreIgnored() {
        Frame frame = frame(ApiKey.METADATA, 12, new MetadataRequest());
        frame.bytes().writeMedium(0);

        assertThat(decoder.decode(frame).body()).isEqualTo(new MetadataRequest());
    }

    @Test
    void aProduceRequestKeepsItsFrameAndMemoryUntilItHasEnded() {
        Frame frame = frame(ApiKey.PRODUCE, 9, new ProduceRequest());

        Request request = decoder.decode(frame);

        assertThat(request.frame()).isSameAs(frame.bytes());
        assertThat(memory.usedBytes()).isPositive();
        request.frame().release();
        request.whenEnded().run();
    }

    @Test
    void aLongRequestIsLeftToAReadThread() {
        MetadataRequest longRequest = new MetadataRequest()
                .topics(IntStream.range(0, 10_000)
                        .mapToObj(i -> new MetadataRequest.MetadataRequestTopic().name("topic" + i))
                        .toList());
        Frame frame = frame(ApiKey.METADATA, 12, longRequest);

        Request request = decoder.decode(frame);

        assertThat(request.body()).isNull();
        assertThat(request.frame()).isSameAs(frame.bytes());
        request.frame().release();
        request.whenEnded().run();
    }

    @Test
    void aLongProduceRequestWithManyTopicsIsLeftToAReadThread() {
        ProduceRequest many = new ProduceRequest()
                .topicData(IntStream.range(0, 100_000)
                        .mapToObj(i -> new TopicProduceData().name("topic" + i))
                        .toList());

        Request request = decoder.decode(frame(ApiKey.PRODUCE, 9, many));

        assertThat(request.body()).isNull();
        request.frame().release();
        request.whenEnded().run();
    }

    /** Then the client can ask again, with a version that both know (KIP-511). */
    @Test
    void anApiVersionsRequestOfAnUnknownVersionIsAnsweredInVersionZero() {
        Frame frame = frame(ApiKey.API_VERSIONS, ApiKey.API_VERSIONS.highestVersion(), new ApiVersionsRequest());
        frame.bytes().setShort(2, 99);

        Request request = decoder.decode(frame);

        assertThat(request.body()).isSameAs(Request.OF_UNKNOWN_VERSION);
        assertThat(request.version()).isZero();
        assertThat(request.correlationId()).isEqualTo(4711);
        assertThat(frame.bytes().refCnt()).isZero();
    }

    @Test
    void theRejectionNamesTheApiThatIsNotServed() {
        Frame frame = frame(ApiKey.FIND_COORDINATOR, 4, new FindCoordinatorRequest());

        assertThatThrownBy(() -> decoder.decode(frame))
                .isInstanceOf(RejectedRequestException.class)
                .hasMessage("API FindCoordinator version 4 is not served");
        frame.release();
    }

    @Test
    void aRequestThatEndsTooEarlyIsMalformed() {
        Frame frame = frame(ApiKey.METADATA, 12, new MetadataRequest());
        frame.bytes().writerIndex(frame.bytes().writerIndex() - 2);

        assertThatThrownBy(() -> decoder.decode(frame)).isInstanceOf(MalformedRequestException.class);
        frame.release();
    }

    private Frame frame(ApiKey key, int version, Message body) {
        ByteBuf bytes = Unpooled.buffer();
        new RequestHeader()
                .requestApiKey(key.id())
                .requestApiVersion((short) version)
                .correlationId(4711)
                .clientId("test")
                .write(bytes, key.requestHeaderVersion((short) version));
        body.write(bytes, (short) version);
        RequestMemory.Share share = memory.share(bytes.readableBytes(), () -> {}, () -> {});
        share.takeAnyway(bytes.readableBytes());
        return new Frame(bytes, share);
    }
}
