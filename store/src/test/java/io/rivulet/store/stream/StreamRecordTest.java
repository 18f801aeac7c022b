package io.rivulet.store.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class StreamRecordTest {
    private final StreamCursor cursor = new StreamCursor();

    @Property
    void anInlineRecordReadsBack(
            @ForAll @IntRange(min = 1, max = 40_000) int payloadLength,
            @ForAll @IntRange(min = 1) int recordCount,
            @ForAll long timestampDelta,
            @ForAll boolean direct) {
        ByteBuffer payload = random(payloadLength, timestampDelta);
        int bytes = StreamRecord.inlineBytes(payloadLength, recordCount, timestampDelta);
        ByteBuffer buffer = direct ? ByteBuffer.allocateDirect(bytes + 10) : ByteBuffer.allocate(bytes + 10);
        buffer.order(ByteOrder.LITTLE_ENDIAN);

        int end = StreamRecord.putInline(buffer, 7, recordCount, timestampDelta, payload, 0, payloadLength);

        assertThat(end).isEqualTo(7 + bytes);
        assertThat(cursor.reset(buffer, 7, end, 100).next()).isTrue();
        assertThat(cursor.isReference()).isFalse();
        assertThat(cursor.recordBytes()).isEqualTo(bytes);
        assertThat(cursor.baseOffset()).isEqualTo(100);
        assertThat(cursor.nextOffset()).isEqualTo(100L + recordCount);
        assertThat(cursor.recordCount()).isEqualTo(recordCount);
        assertThat(cursor.timestampDelta()).isEqualTo(timestampDelta);
        assertThat(buffer.slice(cursor.payloadAt(), cursor.payloadLength())).isEqualTo(payload);
        assertThat(cursor.next()).isFalse();
        assertThat(cursor.isSound()).isTrue();
        assertThatThrownBy(cursor::referenceLsn).isInstanceOf(IllegalStateException.class);
    }

    @Property
    void aReferenceReadsBack(
            @ForAll @IntRange(min = 1) int recordCount,
            @ForAll long timestampDelta,
            @ForAll long lsn,
            @ForAll @IntRange(min = 0) int groupOffset,
            @ForAll @IntRange(min = 1, max = StreamRecord.MAX_PAYLOAD_BYTES) int length,
            @ForAll int crc) {
        int bytes = StreamRecord.headerBytes(0, recordCount, timestampDelta) + StreamRecord.REFERENCE_BYTES;
        ByteBuffer buffer = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);

        int end = StreamRecord.putReference(buffer, 0, recordCount, timestampDelta, lsn, groupOffset, length, crc);

        assertThat(end).isEqualTo(bytes);
        assertThat(cursor.reset(buffer, 0, end, 0).next()).isTrue();
        assertThat(cursor.isReference()).isTrue();
        assertThat(cursor.recordBytes()).isEqualTo(bytes);
        assertThat(cursor.recordCount()).isEqualTo(recordCount);
        assertThat(cursor.timestampDelta()).isEqualTo(timestampDelta);
        assertThat(cursor.referenceLsn()).isEqualTo(lsn);
        assertThat(cursor.referenceGroupOffset()).isEqualTo(groupOffset);
        assertThat(cursor.payloadLength()).isEqualTo(length);
        assertThat(cursor.referenceCrc()).isEqualTo(crc);
    }

    @Test
    void theBytesAreAsTheDiagramSays() {
        ByteBuffer buffer = ByteBuffer.allocate(64);
        int end = StreamRecord.putInline(buffer, 0, 300, -2, ByteBuffer.wrap(new byte[] {9, 8}), 0, 2);
        assertThat(bytes(buffer, end)).containsExactly(2, 0xAC, 2, 3, 9, 8);

        end = StreamRecord.putReference(buffer, 0, 1, 1, 0x0102030405060708L, 9, 10, 11);
        assertThat(bytes(buffer, end))
                .containsExactly(0, 1, 2, 1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 9, 0, 0, 0, 10, 0, 0, 0, 11);
    }

    @Property
    void everyCutIsNoticed(@ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        ByteBuffer buffer = ByteBuffer.allocate(4096);
        int end = putSome(random, buffer);
        for (int to = 1; to < end; to++) {
            cursor.reset(buffer, 0, to, 0);
            while (cursor.next()) {
                assertThat(cursor.nextRecordAt()).isLessThanOrEqualTo(to);
            }
            assertThat(cursor.isSound()).isEqualTo(cursor.nextRecordAt() == to);
        }
    }

    @Property
    void garbageOnlyEndsTheWalk(@ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        ByteBuffer buffer = ByteBuffer.allocateDirect(512);
        boolean nearlySound = random.nextBoolean();
        int end = nearlySound ? putSome(random, buffer) : 512;
        for (int i = nearlySound ? random.nextInt(4) : 512; i > 0; i--) {
            buffer.put(random.nextInt(end), (byte) (random.nextBoolean() ? -1 : random.nextInt()));
        }
        int from = random.nextInt(end);
        int to = random.nextInt(from, end + 1);
        cursor.reset(buffer, from, to, random.nextLong(Long.MAX_VALUE));
        int at = from;
        while (cursor.next()) {
            assertThat(cursor.recordAt()).isEqualTo(at);
            assertThat(cursor.payloadAt()).isLessThan(to);
            assertThat(cursor.payloadLength()).isBetween(1, mostPayloadBytes());
            assertThat(cursor.recordCount()).isPositive();
            assertThat(cursor.nextOffset()).isGreaterThan(cursor.baseOffset());
            at = cursor.nextRecordAt();
            assertThat(at).isLessThanOrEqualTo(to);
        }
        assertThat(cursor.next()).isFalse();
    }

    private int mostPayloadBytes() {
        return cursor.isHuge() ? Integer.MAX_VALUE : StreamRecord.MAX_PAYLOAD_BYTES;
    }

    @Test
    void anEmptyPayloadAndAnEmptyBatchAreRefused() {
        ByteBuffer buffer = ByteBuffer.allocate(64);
        assertThatThrownBy(() -> StreamRecord.putInline(buffer, 0, 1, 0, buffer, 0, 0))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> StreamRecord.putInline(buffer, 0, 0, 0, buffer, 0, 1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(
                        () -> StreamRecord.putReference(buffer, 0, 1, 0, 0, 0, StreamRecord.MAX_PAYLOAD_BYTES + 1, 0))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static int putSome(SplittableRandom random, ByteBuffer buffer) {
        int at = 0;
        for (int i = random.nextInt(1, 8); i > 0; i--) {
            int count = random.nextInt(1, Integer.MAX_VALUE) >>> random.nextInt(30) | 1;
            long delta = random.nextLong() >> random.nextInt(64);
            at = random.nextInt(4) == 0
                    ? StreamRecord.putReference(buffer, at, count, delta, random.nextLong(), 5, 40_000, 6)
                    : StreamRecord.putInline(buffer, at, count, delta, random(40, at), 0, random.nextInt(1, 40));
        }
        return at;
    }

    private static ByteBuffer random(int length, long seed) {
        byte[] bytes = new byte[length];
        new SplittableRandom(seed).nextBytes(bytes);
        return ByteBuffer.wrap(bytes);
    }

    private static int[] bytes(ByteBuffer buffer, int end) {
        int[] bytes = new int[end];
        for (int i = 0; i < end; i++) {
            bytes[i] = buffer.get(i) & 0xFF;
        }
        return bytes;
    }
}
