package io.rivulet.protocol.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.rivulet.protocol.record.codec.Codec;
import java.util.Arrays;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** The fast check of plain records agrees with the cursor, which reads each record. jqwik prints the seed. */
class PlainRecordsTest {
    private static final int NO_LIMIT = 64 << 20;
    private static final int MAX_RECORDS = 300;

    private final PlainRecords plain = new PlainRecords();

    @Property(tries = 1_000)
    void agreesWithTheCursor(@ForAll long seed, @ForAll @IntRange(max = 3) int changes, @ForAll boolean keysRequired) {
        // Given runs of records that are alike, and damage in some batches
        Random random = new Random(seed);
        int count = 1 + random.nextInt(MAX_RECORDS);
        byte[] records = records(random, count);
        for (int i = 0; i < changes; i++) {
            int at = random.nextInt(records.length);
            records[at] = (byte) (random.nextBoolean() ? random.nextInt() : records[at] ^ (1 << random.nextInt(8)));
        }
        RecordBatch batch = Sample.flyweight(Sample.batchAround(Codec.NONE, records, count));

        // When
        boolean sound = plain.areSound(batch, keysRequired);

        // Then
        Expected expected = read(batch, keysRequired);
        assertThat(sound).isEqualTo(expected.sound);
        if (sound) {
            assertThat(plain.maxTimestamp()).isEqualTo(expected.maxTimestamp);
            assertThat(plain.indexOfMax()).isEqualTo(expected.indexOfMax);
        }
        batch.buffer().release();
    }

    @Test
    void aLongerOffsetDeltaIsNotTakenForTheNextField() {
        // Given 64 records with a null key, which is byte 1; one whose offset delta 64 is 0x80 and 1; and a sound one
        ByteBuf records = Unpooled.buffer();
        for (int i = 0; i < 64; i++) {
            records.writeBytes(new byte[] {20, 0, 0, (byte) (i << 1), 1, 8, 0, 0, 0, 0, 0});
        }
        records.writeBytes(new byte[] {20, 0, 0, (byte) 0x80, 1, 8, 0, 0, 0, 0, 0});
        records.writeBytes(new byte[] {20, 0, 0, (byte) 0x82, 1, 1, 6, 0, 0, 0, 0});
        int count = 66;

        // When, Then
        RecordBatch batch = Sample.flyweight(
                Sample.batchAround(Codec.NONE, Arrays.copyOf(records.array(), records.readableBytes()), count));
        assertThat(plain.areSound(batch, false)).isFalse();
        batch.buffer().release();
    }

    private record Expected(boolean sound, long maxTimestamp, int indexOfMax) {}

    private static Expected read(RecordBatch batch, boolean keysRequired) {
        long max = Long.MIN_VALUE;
        int indexOfMax = 0;
        try (RecordCursor cursor = new RecordCursor()) {
            cursor.begin(batch, NO_LIMIT);
            for (int i = 0; cursor.next(); i++) {
                RecordView record = cursor.record();
                if (record.offsetDelta() != i || (keysRequired && !record.hasKey())) {
                    return new Expected(false, 0, 0);
                }
                if (record.timestamp() > max) {
                    max = record.timestamp();
                    indexOfMax = i;
                }
            }
            return new Expected(true, max, indexOfMax);
        } catch (InvalidBatchException e) {
            return new Expected(false, 0, 0);
        }
    }

    private static byte[] records(Random random, int count) {
        ByteBuf records = Unpooled.buffer();
        int timestampRange = 1 << random.nextInt(20);
        Kind kind = Kind.of(random);
        for (int i = 0; i < count; i++) {
            if (random.nextInt(40) == 0) {
                kind = Kind.of(random);
            }
            ByteBuf body = kind.body(i, random.nextInt(timestampRange) - timestampRange / 4, random);
            Varints.write(records, body.readableBytes());
            records.writeBytes(body);
        }
        return Arrays.copyOf(records.array(), records.readableBytes());
    }

    private record Kind(int keyBytes, int valueBytes, int headers) {
        static Kind of(Random random) {
            return new Kind(
                    random.nextInt(4) == 0 ? random.nextInt(100) : -1,
                    random.nextInt(5) == 0 ? -1 : random.nextInt(1 << random.nextInt(14)),
                    random.nextInt(4) == 0 ? random.nextInt(3) : 0);
        }

        /** Half of the contents are zeros, so that they look like counts and lengths. */
        ByteBuf body(int offsetDelta, long timestampDelta, Random random) {
            ByteBuf body = Unpooled.buffer();
            body.writeByte(0);
            Varints.write(body, timestampDelta);
            Varints.write(body, offsetDelta);
            bytes(body, keyBytes, random);
            bytes(body, valueBytes, random);
            Varints.write(body, headers);
            for (int i = 0; i < headers; i++) {
                bytes(body, 1, random);
                bytes(body, 2, random);
            }
            return body;
        }

        private static void bytes(ByteBuf target, int length, Random random) {
            Varints.write(target, length);
            byte[] bytes = new byte[Math.max(0, length)];
            if (random.nextBoolean()) {
                random.nextBytes(bytes);
            }
            target.writeBytes(bytes);
        }
    }
}
