package io.rivulet.bench.protocol;

import io.netty.buffer.ByteBuf;
import io.rivulet.protocol.message.FetchResponse;
import io.rivulet.protocol.wire.Message;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.openjdk.jmh.annotations.Param;

/** FetchResponse, in each of its versions that have flexible fields. */
public class FetchBenchmark extends CodecBenchmark {
    @Param({"12", "13", "14", "15", "16", "17"})
    short version;

    @Override
    short version() {
        return version;
    }

    @Override
    ApiMessage kafkaMessage() {
        return KafkaMessages.fetch(version, recordsBytes);
    }

    @Override
    ApiMessage kafkaRead(ByteBufferAccessor bytes) {
        return new FetchResponseData(bytes, version);
    }

    @Override
    Message rivuletRead(ByteBuf bytes) {
        return FetchResponse.read(bytes, version);
    }
}
