package io.rivulet.store.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class QueueSnapshotTest {
    @Property(tries = 100)
    void restoresWhatWasThere(@ForAll long seed) throws IOException {
        QueueTable table = random(new SplittableRandom(seed));

        QueueTable restored = new QueueTable();
        QueueSnapshot.read(new ByteArrayInputStream(write(table)), restored);

        assertThat(restored.idLimit()).isEqualTo(table.idLimit());
        assertThat(restored.liveQueues()).isEqualTo(table.liveQueues());
        for (int id = 0; id < table.idLimit(); id++) {
            assertThat(restored.exists(id)).isEqualTo(table.exists(id));
            if (table.exists(id)) {
                assertThat(restored.startOffset(id)).isEqualTo(table.startOffset(id));
                assertThat(restored.tailStart(id)).isEqualTo(table.tailStart(id));
                assertThat(restored.endOffset(id)).isEqualTo(table.tailStart(id));
                assertThat(restored.nextOffset(id)).isEqualTo(table.tailStart(id));
                assertThat(restored.retentionClass(id)).isEqualTo(table.retentionClass(id));
            }
        }
    }

    @Property(tries = 200)
    void aChangedOrCutSnapshotIsRefused(@ForAll long seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        byte[] bytes = write(random(random));
        boolean cut = random.nextBoolean();
        byte[] broken = Arrays.copyOf(bytes, cut ? random.nextInt(bytes.length) : bytes.length);
        if (!cut) {
            broken[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
        }
        assertThatThrownBy(() -> QueueSnapshot.read(new ByteArrayInputStream(broken), new QueueTable()))
                .isInstanceOf(IOException.class);
    }

    @Test
    void aMillionUntouchedQueuesTakeTwoBytesEach() throws IOException {
        QueueTable table = new QueueTable();
        table.createRange(0, 1_000_000, 0);
        assertThat(write(table).length).isLessThan(2_010_000);
    }

    @Test
    void offsetsSeenWhileTheWriterGoesOnLieBetweenBeforeAndAfter() throws Exception {
        int queues = 20_000;
        QueueTable table = new QueueTable();
        table.createRange(0, queues, 0);
        for (int round = 1; round <= 20; round++) {
            long low = table.tailStart(0);
            long high = 1000L * round;
            AtomicReference<byte[]> snapshot = new AtomicReference<>(new byte[0]);
            Thread taker = new Thread(() -> snapshot.set(writeUnchecked(table)));
            taker.start();
            for (int id = 0; id < queues; id++) {
                table.trim(id, high);
                table.raiseTailStart(id, high);
            }
            taker.join();

            QueueTable restored = new QueueTable();
            QueueSnapshot.read(new ByteArrayInputStream(snapshot.get()), restored);
            for (int id = 0; id < queues; id++) {
                assertThat(restored.startOffset(id)).isBetween(low, high);
                assertThat(restored.tailStart(id)).isBetween(low, high);
            }
        }
    }

    private static QueueTable random(SplittableRandom random) {
        QueueTable table = new QueueTable();
        int ranges = random.nextInt(6);
        for (int i = 0; i < ranges; i++) {
            int first = random.nextInt(4) == 0 ? table.idLimit() : table.idLimit() + random.nextInt(200_000);
            table.createRange(first, random.nextInt(1, 3000), random.nextInt(3));
        }
        for (int i = 0; i < 500 && table.idLimit() > 0; i++) {
            int id = random.nextInt(table.idLimit());
            if (random.nextInt(5) == 0) {
                table.delete(id);
            } else if (table.exists(id)) {
                table.trim(id, random.nextLong(Long.MAX_VALUE) >>> random.nextInt(63));
                table.raiseTailStart(id, random.nextLong(Long.MAX_VALUE - 1) >>> random.nextInt(63));
            }
        }
        return table;
    }

    private static byte[] write(QueueTable table) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        QueueSnapshot.write(table, out);
        return out.toByteArray();
    }

    private static byte[] writeUnchecked(QueueTable table) {
        try {
            return write(table);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
