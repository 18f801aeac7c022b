package io.rivulet.protocol.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.rivulet.protocol.record.InvalidBatchException.Reason;
import io.rivulet.protocol.record.codec.Codec;
import java.util.EnumMap;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Damaged batches are refused with one exception and at a bounded cost. jqwik prints the seed of a run that fails. */
class MutatedBatchesTest {
    private static final int LIMIT = 512 * 1024;
    private static final int MIB = 1 << 20;
    private static final BatchLimits LIMITS = new BatchLimits(LIMIT, 10);
    private static final Map<Codec, byte[]> SOUND = new EnumMap<>(Codec.class);

    static {
        for (Codec codec : Codec.values()) {
            ByteBuf batch = Sample.batch(codec, Sample.ofEachKind(0).subList(0, 5));
            SOUND.put(codec, ByteBufUtil.getBytes(batch));
            batch.release();
        }
    }

    private final BatchValidator validator = new BatchValidator(LIMITS);

    @Property(tries = 5_000)
    void damageThatTheCrcCoversIsCorrupt(
            @ForAll Codec codec, @ForAll long seed, @ForAll @IntRange(min = 1, max = 20) int changes) {
        // Given
        ByteBuf batch = copyOf(codec);
        Random random = new Random(seed);
        for (int i = 0; i < changes; i++) {
            int from = RecordBatchLayout.CRC_COVERS_FROM;
            batch.setByte(from + random.nextInt(batch.readableBytes() - from), random.nextInt(256));
        }
        boolean changed = !batch.equals(copyOf(codec));

        // When
        Reason reason = null;
        try {
            walk(batch);
        } catch (InvalidBatchException e) {
            reason = e.reason();
        }

        // Then
        assertThat(reason).isEqualTo(changed ? Reason.CORRUPT : null);
    }

    @Property(tries = 10_000)
    void damageAnywhereAndAtAnyLengthIsRefusedOrRead(
            @ForAll Codec codec, @ForAll long seed, @ForAll @IntRange(min = 1, max = 6) int changes) {
        // Given damage with a correct CRC, and perhaps a cut
        Random random = new Random(seed);
        ByteBuf batch = copyOf(codec);
        int from = RecordBatchLayout.ATTRIBUTES;
        for (int i = 0; i < changes; i++) {
            int span = random.nextBoolean() ? batch.readableBytes() - from : 60;
            batch.setByte(from + random.nextInt(span), random.nextInt(256));
        }
        if (random.nextInt(4) == 0) {
            batch.writerIndex(RecordBatchLayout.HEADER_BYTES
                    + random.nextInt(batch.readableBytes() - RecordBatchLayout.HEADER_BYTES));
            batch.setInt(RecordBatchLayout.LENGTH, batch.readableBytes() - RecordBatchLayout.LENGTH_OVERHEAD_BYTES);
        }
        Sample.flyweight(batch).stampCrc();

        // When
        long allocated = Allocations.bytesOf(() -> refuseOrRead(batch, random.nextBoolean()));

        // Then
        assertThat(allocated).isLessThan(3 * MIB);
    }

    @Property(tries = 5_000)
    void bytesWithoutAnyOrderAreRefused(@ForAll byte[] bytes) {
        refuseOrRead(Unpooled.wrappedBuffer(bytes), false);
    }

    /** All lengths of key, value, headers, and of a header's key and value, in a record of eight bytes. */
    @Test
    void shortRecordsOfAllShapesGetTheSameVerdict() {
        byte[] lengths = {0, 1, 2, 3, 4, (byte) 0x80, (byte) 0xff};
        int shapes = (int) Math.pow(lengths.length, 5);
        try (RecordCursor cursor = new RecordCursor()) {
            for (int shape = 0; shape < shapes; shape++) {
                byte[] record = {16, 0, 0, 0, 0, 0, 0, 0, 0};
                for (int i = 0, left = shape; i < 5; i++, left /= lengths.length) {
                    record[4 + i] = lengths[left % lengths.length];
                }
                ByteBuf batch = Sample.batchAround(Codec.NONE, record, 1);
                requireSameVerdict(cursor, Sample.flyweight(batch), shape % 2 == 0);
                batch.release();
            }
        }
    }

    /** Any exception but the typed one fails the test. */
    private void refuseOrRead(ByteBuf bytes, boolean keysRequired) {
        try (RecordsCheck check = new RecordsCheck(LIMIT);
                RecordCursor cursor = new RecordCursor()) {
            validator.begin(bytes, 0, bytes.readableBytes());
            while (validator.next()) {
                boolean sound = passes(check, validator.batch());
                boolean readable = reads(cursor, validator.batch());
                // The cursor can read all that the check accepts, but not the reverse: the check is stricter.
                assertThat(readable || !sound).isTrue();
                if (!validator.batch().isCompressed()) {
                    requireSameVerdict(cursor, validator.batch(), keysRequired);
                }
            }
        } catch (InvalidBatchException e) {
            assertThat(e.reason()).isNotNull();
        }
    }

    private static boolean passes(RecordsCheck check, RecordBatch batch) {
        try {
            check.check(batch, false);
            return true;
        } catch (InvalidBatchException e) {
            return false;
        }
    }

    private static boolean reads(RecordCursor cursor, RecordBatch batch) {
        try {
            cursor.begin(batch, LIMIT);
            while (cursor.next()) {
                Sample.of(cursor.record());
            }
            return true;
        } catch (InvalidBatchException e) {
            return false;
        }
    }

    /** Compares the verdicts of the fast check and of the cursor. */
    private static void requireSameVerdict(RecordCursor cursor, RecordBatch batch, boolean keysRequired) {
        PlainRecords plain = new PlainRecords();
        boolean sound = true;
        long maxTimestamp = Long.MIN_VALUE;
        int indexOfMax = 0;
        try {
            cursor.beginSkimming(batch, LIMIT);
            for (int i = 0; cursor.next(); i++) {
                RecordView record = cursor.record();
                sound &= record.offsetDelta() == i && (record.hasKey() || !keysRequired);
                indexOfMax = record.timestamp() > maxTimestamp ? i : indexOfMax;
                maxTimestamp = Math.max(maxTimestamp, record.timestamp());
            }
        } catch (InvalidBatchException e) {
            sound = false;
        }
        assertThat(plain.areSound(batch, keysRequired)).isEqualTo(sound);
        if (sound) {
            assertThat(plain.maxTimestamp()).isEqualTo(maxTimestamp);
            assertThat(plain.indexOfMax()).isEqualTo(indexOfMax);
        }
    }

    private void walk(ByteBuf bytes) {
        validator.begin(bytes, 0, bytes.readableBytes());
        while (validator.next()) {
            assertThat(validator.batch().sizeInBytes()).isEqualTo(bytes.readableBytes());
        }
    }

    private static ByteBuf copyOf(Codec codec) {
        return Unpooled.copiedBuffer(SOUND.getOrDefault(codec, new byte[0]));
    }
}
