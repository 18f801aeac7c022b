package io.rivulet.protocol.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.rivulet.protocol.message.ProduceRequest;
import io.rivulet.protocol.message.ProduceRequest.PartitionProduceData;
import io.rivulet.protocol.message.ProduceRequest.TopicProduceData;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecordsTest {
    private static final short VERSION = 12;

    private static ProduceRequest produce(ByteBuf... records) {
        List<PartitionProduceData> partitions = new ArrayList<>();
        for (ByteBuf buffer : records) {
            partitions.add(new PartitionProduceData().index(partitions.size()).records(Records.of(buffer)));
        }
        return new ProduceRequest()
                .topicData(List.of(new TopicProduceData().name("t").partitionData(partitions)));
    }

    private static ByteBuf filled(int length, int value) {
        ByteBuf buffer = UnpooledByteBufAllocator.DEFAULT.buffer(length);
        return buffer.setByte(0, value).writerIndex(length);
    }

    private static Records first(ProduceRequest request) {
        Records records = request.topicData().get(0).partitionData().get(0).records();
        assertThat(records).isNotNull();
        return java.util.Objects.requireNonNull(records);
    }

    @Test
    void decodingBorrowsFromTheFrameAndRetainsNothing() {
        ByteBuf frame = UnpooledByteBufAllocator.DEFAULT.directBuffer();
        frame.writeZero(7).skipBytes(7);
        ByteBuf source = filled(3000, 41);
        produce(source).write(frame, VERSION);

        Records records = first(ProduceRequest.read(frame, VERSION));

        assertThat(records.buffer()).isSameAs(frame);
        assertThat(records).isEqualTo(Records.of(source));
        assertThat(frame.refCnt()).isEqualTo(1);
        ByteBuf kept = records.retainedSlice();
        frame.release();
        assertThat(kept.getByte(0)).isEqualTo((byte) 41);
        kept.release();
        assertThat(frame.refCnt()).isZero();
        source.release();
    }

    @Test
    void aFrameOfSeveralComponentsIsReadAndWrittenLikeAnyOther() {
        ByteBuf source = filled(2000, 7);
        ByteBuf whole = Unpooled.buffer();
        produce(source).write(whole, VERSION);
        ByteBuf composite = Unpooled.compositeBuffer();
        composite.writeBytes(whole, 0, 3);
        ByteBuf parts = Unpooled.compositeBuffer()
                .addComponent(true, whole.copy(0, 900))
                .addComponent(true, whole.copy(900, whole.readableBytes() - 900));

        ProduceRequest request = ProduceRequest.read(parts, VERSION);
        ByteBuf target = Unpooled.compositeBuffer()
                .addComponent(true, Unpooled.buffer(4).writeZero(4))
                .addComponent(true, Unpooled.buffer(4).writeZero(4));
        request.write(target, VERSION);

        assertThat(first(request)).isEqualTo(Records.of(source));
        assertThat(target.slice(8, target.readableBytes() - 8)).isEqualTo(whole);
        List.of(source, whole, composite, parts, target).forEach(ByteBuf::release);
    }

    @Test
    void aGatheringWriterDoesNotCopyLargeRecords() {
        ByteBuf large = filled(5000, 1);
        ByteBuf small = filled(10, 2);
        ByteBuf last = filled(WireWriter.GATHER_BYTES, 3);
        ProduceRequest request = produce(large, small, last);
        ByteBuf expected = Unpooled.buffer().writeInt(99);
        request.write(expected, VERSION);
        int headBytes = request.sizeInBytes(VERSION) - request.gatheredBytes();
        ByteBuf head = UnpooledByteBufAllocator.DEFAULT.buffer().writeInt(99);

        List<ByteBuf> out = new ArrayList<>();
        WireWriter writer = WireWriter.gathering(head, headBytes);
        request.write(writer, VERSION);
        writer.finishInto(out);

        assertThat(request.gatheredBytes()).isEqualTo(5000 + WireWriter.GATHER_BYTES);
        assertThat(out).hasSize(5);
        assertThat(out.get(1).memoryAddress()).isEqualTo(large.memoryAddress());
        ByteBuf sent = Unpooled.wrappedBuffer(out.toArray(ByteBuf[]::new));
        assertThat(sent).isEqualTo(expected);
        assertThat(large.refCnt()).isEqualTo(2);
        sent.release();
        assertThat(head.refCnt()).isZero();
        assertThat(large.refCnt()).isEqualTo(1);
        List.of(large, small, last, expected).forEach(ByteBuf::release);
    }

    @Test
    void recordsAreEqualByTheirBytes() {
        ByteBuf buffer = Unpooled.copiedBuffer("xabcabc", StandardCharsets.US_ASCII);
        Records one = new Records(buffer, 1, 3);
        Records two = new Records(buffer, 4, 3);
        assertThat(one).isEqualTo(two).hasSameHashCodeAs(two).isNotEqualTo(new Records(buffer, 0, 3));
        assertThat(one).hasToString("Records(3 bytes)");
        assertThat(one.slice()).isEqualTo(two.slice());
    }
}
