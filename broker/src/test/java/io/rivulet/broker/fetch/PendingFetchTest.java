package io.rivulet.broker.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.rivulet.broker.TestBroker;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.node.Nodes;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.FetchRequest;
import io.rivulet.protocol.message.FetchRequest.FetchPartition;
import io.rivulet.protocol.message.FetchRequest.FetchTopic;
import io.rivulet.protocol.message.ProduceRequest;
import io.rivulet.protocol.message.ProduceRequest.PartitionProduceData;
import io.rivulet.protocol.message.ProduceRequest.TopicProduceData;
import io.rivulet.protocol.message.ProduceResponse;
import io.rivulet.protocol.record.RecordBatchBuilder;
import io.rivulet.protocol.wire.Records;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What fetches hold while they wait, and what they leave behind. */
final class PendingFetchTest {
    private static final int LAST_VERSION_WITH_NAMES = 12;
    private static final int LARGE_BYTES = 500_000;
    private static final int HUGE_BYTES = 5 << 20;
    private static final int MINUTE_MILLIS = 60_000;
    /** An answer without records is shorter. */
    private static final int SMALL_ANSWER_BYTES = 120;

    @RegisterExtension
    final TestBroker broker =
            new TestBroker(Map.of("message.max.bytes", String.valueOf(2 * HUGE_BYTES)), Nodes::single);

    @BeforeEach
    void createTopic() throws Exception {
        broker.createTopics("t");
    }

    /** The first batch of an answer is sent whatever its size, and a large one is not in the tail. */
    @Test
    void fetchesThatWaitForAReadThreadDoNotExceedTheMemoryTogether() throws Exception {
        produce(LARGE_BYTES);
        CountDownLatch busy = broker.occupyReadThread();
        List<Call> calls = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            calls.add(fetch(1, MINUTE_MILLIS));
        }
        broker.connection().settle();
        busy.countDown();

        int answered = 0;
        while (!calls.isEmpty()) {
            broker.settle();
            assertThat(broker.memory().usedBytes())
                    .as("after %d answers", answered)
                    .isLessThanOrEqualTo(broker.memory().maxBytes() + LARGE_BYTES + 100);
            Call next = calls.stream().filter(Call::hasEnded).findFirst().orElseThrow();
            assertThat(TestBroker.receive(next).readableBytes()).isGreaterThan(LARGE_BYTES);
            calls.remove(next);
            answered++;
        }
        assertThat(broker.memory().usedBytes()).isZero();
    }

    /** Only a first batch may exceed what the fetch has taken. */
    @Test
    void aFetchThatHasRecordsAnswersThemThoughTheMemoryIsExceeded() throws Exception {
        broker.createTopics("small");
        produce("small", 10);
        produce(LARGE_BYTES);
        CountDownLatch busy = broker.occupyReadThread();
        Call call = fetch(List.of("small", "t"), LARGE_BYTES, 0);
        broker.connection().settle();
        long exceeding = broker.memory().maxBytes() + 1;
        broker.memory().takeAnyway(exceeding);
        busy.countDown();
        broker.settle();

        assertThat(TestBroker.receive(call).readableBytes()).isGreaterThan(SMALL_ANSWER_BYTES);
        broker.memory().giveBack(exceeding);
        assertThat(broker.memory().usedBytes()).isZero();
    }

    @Test
    void aFetchWhoseTimeIsUpLeavesNothingBehindInAFullMemory() throws Exception {
        long before = fillMemory();
        for (int i = 0; i < 20; i++) {
            Call call = fetch(1, 1);
            broker.connection().awaitAnswer(call);
            TestBroker.receive(call).release();
        }
        assertThat(broker.memory().waiting()).isZero();
        broker.memory().giveBack(before);
        assertThat(broker.memory().usedBytes()).isZero();
    }

    /** Returns the bytes that were taken. */
    private long fillMemory() {
        while (broker.memory().take(Integer.MAX_VALUE) > 0) {
            // until nothing is free
        }
        return broker.memory().usedBytes();
    }

    @Test
    void aHugeBatchIsNotReadForAClientThatHasGone() throws Exception {
        produce(HUGE_BYTES);
        var first = broker.memory().takeHuge(() -> {});
        Call call = fetch(1, MINUTE_MILLIS);
        broker.settle();
        assertThat(broker.memory().waiting()).isOne();

        assertThat(broker.memory().stopWaiting(first)).as("it has the memory").isFalse();
        broker.connection().close("the client has gone");
        broker.memory().giveBackHuge();
        broker.settle();
        assertThat(call.hasEnded()).isTrue();
        assertThat(call.take()).as("an answer").isNull();
        AtomicInteger free = new AtomicInteger();
        var unused = broker.memory().takeHuge(free::incrementAndGet);
        assertThat(free).hasValue(1);
    }

    /** A broker that shares its log gives up the store, and its event loops live on. */
    @Test
    void aFetchAfterTheReadThreadsAreClosedFreesAllThatItHas() throws Exception {
        produce(LARGE_BYTES);
        broker.readers().close();
        Call call = fetch(1, MINUTE_MILLIS);
        broker.connection().settle();
        assertThat(call.hasEnded()).isTrue();
        assertThat(broker.memory().usedBytes()).isZero();
    }

    private Call fetch(int maxBytes, int maxWaitMillis) {
        return fetch(List.of("t"), maxBytes, maxWaitMillis);
    }

    private Call fetch(List<String> topics, int maxBytes, int maxWaitMillis) {
        FetchPartition partition = new FetchPartition().partition(0).partitionMaxBytes(maxBytes);
        FetchRequest request = new FetchRequest()
                .maxWaitMs(maxWaitMillis)
                .minBytes(1)
                .maxBytes(maxBytes)
                .topics(topics.stream()
                        .map(topic -> new FetchTopic().topic(topic).partitions(List.of(partition)))
                        .toList());
        return broker.send(ApiKey.FETCH, LAST_VERSION_WITH_NAMES, request);
    }

    private void produce(int valueBytes) throws Exception {
        produce("t", valueBytes);
    }

    private void produce(String topic, int valueBytes) throws Exception {
        ByteBuf batch;
        try (RecordBatchBuilder builder = new RecordBatchBuilder(UnpooledByteBufAllocator.DEFAULT)) {
            batch = builder.append(System.currentTimeMillis(), null, new byte[valueBytes])
                    .build();
        }
        PartitionProduceData partition =
                new PartitionProduceData().index(0).records(new Records(batch, 0, batch.readableBytes()));
        ProduceRequest request = new ProduceRequest()
                .acks((short) -1)
                .timeoutMs(MINUTE_MILLIS)
                .topicData(List.of(new TopicProduceData().name(topic).partitionData(List.of(partition))));
        ProduceResponse answer = broker.ask(ApiKey.PRODUCE, LAST_VERSION_WITH_NAMES, request, ProduceResponse::read);
        assertThat(answer.responses().get(0).partitionResponses().get(0).errorCode())
                .isZero();
    }
}
