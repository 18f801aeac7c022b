package io.rivulet.bench.protocol;

import io.netty.buffer.ByteBuf;
import io.rivulet.protocol.message.ProduceRequest;
import io.rivulet.protocol.wire.Message;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.openjdk.jmh.annotations.Param;

/** ProduceRequest, in each of its versions that have flexible fields. */
public class ProduceBenchmark extends CodecBenchmark {
    @Param({"9", "10", "11", "12", "13"})
    short version;

    @Override
    short version() {
        return version;
    }

    @Override
    ApiMessage kafkaMessage() {
        return KafkaMessages.produce(version, recordsBytes);
    }

    @Override
    ApiMessage kafkaRead(ByteBufferAccessor bytes) {
        return new ProduceRequestData(bytes, version);
    }

    @Override
    Message rivuletRead(ByteBuf bytes) {
        return ProduceRequest.read(bytes, version);
    }
}
