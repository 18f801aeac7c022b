package io.rivulet.broker.console;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.rivulet.broker.api.ApiParts;
import io.rivulet.broker.dynamic.Resource;
import io.rivulet.broker.http.HttpExchange;
import io.rivulet.broker.http.HttpProblem;
import io.rivulet.broker.topic.Topic;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.IncrementalAlterConfigsRequest;
import io.rivulet.protocol.message.IncrementalAlterConfigsRequest.AlterConfigsResource;
import io.rivulet.protocol.message.IncrementalAlterConfigsRequest.AlterableConfig;
import io.rivulet.protocol.message.IncrementalAlterConfigsResponse;
import io.rivulet.protocol.message.IncrementalAlterConfigsResponse.AlterConfigsResourceResponse;
import io.rivulet.protocol.message.ProduceRequest;
import io.rivulet.protocol.message.ProduceRequest.PartitionProduceData;
import io.rivulet.protocol.message.ProduceRequest.TopicProduceData;
import io.rivulet.protocol.message.ProduceResponse;
import io.rivulet.protocol.message.ProduceResponse.PartitionProduceResponse;
import io.rivulet.protocol.record.RecordBatchBuilder;
import io.rivulet.protocol.record.RecordHeader;
import io.rivulet.protocol.wire.Records;
import io.rivulet.store.StoreReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Appends records to topics, and changes their configs. Thread-safe. */
record TopicChanges(ApiParts parts, Reads reads, BrokerCalls calls) {
    private static final int NAMES_UP_TO_VERSION = 12;
    private static final int TIMEOUT_MILLIS = 30_000;
    private static final byte SET = 0;
    private static final byte DELETE = 1;

    /** Sets a config to the field "value", or back to its default if there is none. */
    void config(HttpExchange exchange) {
        Form form = Form.of(exchange);
        String topic = form.required("topic");
        Rights.topic(exchange, parts, topic);
        String value = form.optional("value");
        AlterConfigsResource resource = new AlterConfigsResource()
                .resourceType(Resource.TOPIC)
                .resourceName(topic)
                .configs(List.of(new AlterableConfig()
                        .name(form.required("name"))
                        .configOperation(value == null ? DELETE : SET)
                        .value(value)));
        calls.ask(
                exchange,
                ApiKey.INCREMENTAL_ALTER_CONFIGS,
                1,
                new IncrementalAlterConfigsRequest().resources(List.of(resource)),
                IncrementalAlterConfigsResponse.class,
                response -> {
                    AlterConfigsResourceResponse answer = response.responses().get(0);
                    BrokerCalls.require(answer.errorCode(), answer.errorMessage());
                    exchange.answer(ConsoleApi.done());
                });
    }

    // ---- records ----

    /** A topic and a partition to append to. */
    private record Target(String topic, int partition) {
        static Target of(Form form, String topic, String partition) {
            return new Target(form.required(topic), (int) form.number(partition, Integer.MAX_VALUE));
        }
    }

    void produce(HttpExchange exchange) {
        Form form = Form.of(exchange);
        Target target = checked(exchange, Target.of(form, "topic", "partition"));
        List<RecordHeader> headers = headers(form);
        try (RecordBatchBuilder builder = new RecordBatchBuilder(UnpooledByteBufAllocator.DEFAULT)) {
            builder.append(
                    System.currentTimeMillis(), wrapped(form.bytes("key")), wrapped(form.bytes("value")), headers);
            append(exchange, target, builder.build());
        }
    }

    private static @Nullable ByteBuf wrapped(byte @Nullable [] bytes) {
        return bytes == null ? null : Unpooled.wrappedBuffer(bytes);
    }

    private static List<RecordHeader> headers(Form form) {
        List<String> names = form.all("header-name");
        List<String> values = form.all("header-value");
        if (names.size() != values.size()) {
            throw HttpProblem.badRequest("each header needs a name and a value");
        }
        List<RecordHeader> headers = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            headers.add(new RecordHeader(names.get(i), values.get(i).getBytes(StandardCharsets.UTF_8)));
        }
        return headers;
    }

    /** Appends a copy of a record, byte for byte, with the time of now. */
    void replay(HttpExchange exchange) {
        Form form = Form.of(exchange);
        Target from = Target.of(form, "topic", "partition");
        Target to = checked(exchange, Target.of(form, "to", "toPartition"));
        long offset = form.number("offset", Long.MAX_VALUE - 1);
        boolean taken =
                reads.offer(reader -> exchange.run(() -> append(exchange, to, copy(exchange, from, offset, reader))));
        if (!taken) {
            throw Reads.tooMany();
        }
    }

    private ByteBuf copy(HttpExchange exchange, Target from, long offset, StoreReader reader) {
        int queueId = Rights.records(exchange, parts, from.topic).queueId(from.partition);
        if (queueId == Topic.NO_QUEUE || !parts.store().exists(queueId)) {
            throw ConsoleApi.notFound("topic '" + from.topic + "' has no partition " + from.partition);
        }
        try (RecordReader records = new RecordReader(reader, parts.config().maxDecompressedBytes());
                RecordCopy copy = new RecordCopy()) {
            records.read(queueId, offset, offset + 1, copy);
            return copy.batch(offset);
        } catch (IOException e) {
            throw Reads.unreadable(e);
        }
    }

    private Target checked(HttpExchange exchange, Target target) {
        Topic topic = Rights.topic(exchange, parts, target.topic);
        if (topic.isInternal()) {
            throw HttpProblem.badRequest("topic '" + target.topic + "' is internal");
        }
        if (topic.queueId(target.partition) == Topic.NO_QUEUE) {
            throw ConsoleApi.notFound("topic '" + target.topic + "' has no partition " + target.partition);
        }
        return target;
    }

    /** @param batch owned by the call from now on */
    private void append(HttpExchange exchange, Target target, ByteBuf batch) {
        ProduceRequest request = new ProduceRequest()
                .acks((short) -1)
                .timeoutMs(TIMEOUT_MILLIS)
                .topicData(List.of(new TopicProduceData()
                        .name(target.topic)
                        .partitionData(List.of(new PartitionProduceData()
                                .index(target.partition)
                                .records(Records.of(batch))))));
        calls.ask(exchange, ApiKey.PRODUCE, NAMES_UP_TO_VERSION, request, batch, ProduceResponse.class, response -> {
            PartitionProduceResponse answer =
                    response.responses().get(0).partitionResponses().get(0);
            BrokerCalls.require(answer.errorCode(), answer.errorMessage());
            exchange.answer(ConsoleApi.json(new JsonWriter()
                    .object()
                    .field("topic", target.topic)
                    .field("partition", target.partition)
                    .field("offset", answer.baseOffset())
                    .endObject()));
        });
    }
}
