package io.rivulet.bench.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.rivulet.protocol.wire.Message;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.protocol.ApiMessage;
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

/**
 * Decodes and encodes one message with both libraries, in memory that is allocated before. JMH and the set-up set the
 * fields. A process runs one subclass only, so calls to it are monomorphic.
 */
@State(Scope.Thread)
@NullUnmarked
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(1)
public abstract class CodecBenchmark {
    /** Memory of Rivulet's bytes, heap or direct. Kafka's are always on the heap. */
    @Param("heap")
    String memory;

    /** Bytes of a batch; by default of one small record. */
    @Param("72")
    int recordsBytes;

    private ByteBuffer kafkaFrame;
    private ByteBuffer kafkaTarget;
    private ApiMessage kafkaMessage;
    private ByteBuf frame;
    private ByteBuf target;
    private Message message;

    abstract short version();

    abstract ApiMessage kafkaMessage();

    abstract ApiMessage kafkaRead(ByteBufferAccessor bytes);

    abstract Message rivuletRead(ByteBuf bytes);

    @Setup
    public void setUp() {
        kafkaMessage = kafkaMessage();
        kafkaFrame = KafkaMessages.write(kafkaMessage, version());
        kafkaTarget = ByteBuffer.allocate(kafkaFrame.remaining());
        int size = kafkaFrame.remaining();
        boolean direct = memory.equals("direct");
        frame = direct ? Unpooled.directBuffer(size) : Unpooled.buffer(size);
        frame.writeBytes(kafkaFrame.duplicate());
        target = direct ? Unpooled.directBuffer(size) : Unpooled.buffer(size);
        message = rivuletRead(frame);
        if (!rivuletEncode().equals(frame.readerIndex(0))) {
            throw new IllegalStateException("the libraries write different bytes");
        }
    }

    @Benchmark
    public Message rivuletDecode() {
        return rivuletRead(frame.readerIndex(0));
    }

    @Benchmark
    public ApiMessage kafkaDecode() {
        return kafkaRead(new ByteBufferAccessor(kafkaFrame.duplicate()));
    }

    @Benchmark
    public ByteBuf rivuletEncode() {
        message.write(target.clear(), version());
        return target;
    }

    @Benchmark
    public ByteBuffer kafkaEncode() {
        KafkaMessages.write(kafkaMessage, version(), kafkaTarget);
        return kafkaTarget;
    }
}
