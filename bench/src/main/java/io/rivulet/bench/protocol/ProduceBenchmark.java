package io.rivulet.bench.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.rivulet.protocol.message.ProduceRequest;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.jspecify.annotations.NullUnmarked;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** ProduceRequest: decode from and encode into memory that is there already. Its fields are set by JMH and by the set-up. */
@State(Scope.Thread)
@NullUnmarked
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(1)
public class ProduceBenchmark {
    @Param({"9", "10", "11", "12", "13"})
    short version;

    /** Where our side has its bytes; theirs is always on the heap. */
    @Param("heap")
    String memory;

    /** A batch of one tiny record, unless said otherwise. */
    @Param("72")
    int recordsBytes;

    private ByteBuffer kafkaFrame;
    private ByteBuffer kafkaTarget;
    private ProduceRequestData kafkaMessage;
    private ByteBuf frame;
    private ByteBuf target;
    private ProduceRequest message;

    @Setup
    public void setUp() {
        kafkaMessage = KafkaMessages.produce(version, recordsBytes);
        kafkaFrame = KafkaMessages.write(kafkaMessage, version);
        kafkaTarget = ByteBuffer.allocate(kafkaFrame.remaining());
        int size = kafkaFrame.remaining();
        boolean direct = memory.equals("direct");
        frame = direct ? Unpooled.directBuffer(size) : Unpooled.buffer(size);
        frame.writeBytes(kafkaFrame.duplicate());
        target = direct ? Unpooled.directBuffer(size) : Unpooled.buffer(size);
        message = ProduceRequest.read(frame, version);
        if (!rivuletEncode().equals(frame.readerIndex(0))) {
            throw new IllegalStateException("The two libraries do not write the same");
        }
    }

    @Benchmark
    public ProduceRequest rivuletDecode() {
        return ProduceRequest.read(frame.readerIndex(0), version);
    }

    @Benchmark
    public ProduceRequestData kafkaDecode() {
        return new ProduceRequestData(new ByteBufferAccessor(kafkaFrame.duplicate()), version);
    }

    @Benchmark
    public ByteBuf rivuletEncode() {
        message.write(target.clear(), version);
        return target;
    }

    @Benchmark
    public ByteBuffer kafkaEncode() {
        KafkaMessages.write(kafkaMessage, version, kafkaTarget);
        return kafkaTarget;
    }
}
