package io.rivulet.protocol.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.rivulet.protocol.record.codec.Codec;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.xerial.snappy.Snappy;

/** Kafka's reader and ours agree in the cases that the formats do not specify. */
class FramingsTest {
    private static final List<Sample> SAMPLES = Sample.ofEachKind(0);
    private static final byte[] RECORDS = records();

    @Test
    void aRawSnappyBlockIsReadByBoth() throws IOException {
        assertThat(readByKafka(Codec.SNAPPY, Snappy.compress(RECORDS))).isTrue();
        assertThat(readByRivulet(Codec.SNAPPY, Snappy.compress(RECORDS))).isTrue();
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "NONE")
    void framesOneAfterTheOtherAreReadByBothOrByNone(Codec codec) {
        for (int cut : new int[] {1, 1_000, 80_000, RECORDS.length - 1}) {
            // Given
            byte[] first = compressed(codec, Arrays.copyOf(RECORDS, cut));
            byte[] second = compressed(codec, Arrays.copyOfRange(RECORDS, cut, RECORDS.length));
            byte[] both = joined(first, second);

            // When, Then
            assertThat(readByRivulet(codec, both)).isEqualTo(codec != Codec.LZ4).isEqualTo(readByKafka(codec, both));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"GZIP", "LZ4"})
    void bytesBehindTheLastFrameAreIgnoredByBoth(Codec codec) {
        byte[] trailed = joined(compressed(codec, RECORDS), new byte[] {0, 0, 0, 0, 7});
        assertThat(readByKafka(codec, trailed)).isTrue();
        assertThat(readByRivulet(codec, trailed)).isTrue();
    }

    @ParameterizedTest
    @EnumSource(names = {"SNAPPY", "ZSTD"})
    void bytesBehindTheLastFrameAreRefusedByBoth(Codec codec) {
        byte[] trailed = joined(compressed(codec, RECORDS), new byte[] {0, 0, 0, 0, 7});
        assertThat(readByKafka(codec, trailed)).isFalse();
        assertThat(readByRivulet(codec, trailed)).isFalse();
    }

    private static boolean readByKafka(Codec codec, byte[] compressed) {
        ByteBuf batch = Sample.batchAround(codec, compressed, SAMPLES.size());
        try {
            return Kafka.samples(Kafka.read(batch)).size() == SAMPLES.size();
        } catch (RuntimeException e) {
            return false;
        } finally {
            batch.release();
        }
    }

    private static boolean readByRivulet(Codec codec, byte[] compressed) {
        ByteBuf batch = Sample.batchAround(codec, compressed, SAMPLES.size());
        try {
            return Sample.read(Sample.flyweight(batch)).size() == SAMPLES.size();
        } catch (InvalidBatchException e) {
            return false;
        } finally {
            batch.release();
        }
    }

    private static byte[] records() {
        ByteBuf batch = Sample.batch(Codec.NONE, SAMPLES);
        try {
            return ByteBufUtil.getBytes(batch.skipBytes(RecordBatchLayout.RECORDS));
        } finally {
            batch.release();
        }
    }

    private static byte[] compressed(Codec codec, byte[] bytes) {
        ByteBuf target = Unpooled.buffer();
        codec.compress(Unpooled.wrappedBuffer(bytes), target, codec.defaultLevel());
        return ByteBufUtil.getBytes(target);
    }

    private static byte[] joined(byte[] first, byte[] second) {
        return ByteBufUtil.getBytes(Unpooled.wrappedBuffer(first, second));
    }
}
