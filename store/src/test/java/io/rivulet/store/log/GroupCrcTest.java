package io.rivulet.store.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** A group's checksum, computed while the group grows, is that of all its bytes. */
final class GroupCrcTest {
    private static final long STORE_ID = 0x1234567890abcdefL;
    private static final int MAX_ENTRY_BYTES = 80 << 10;
    private static final int MAX_BODY_BYTES = 1 << 20;

    private final long seed = Long.getLong("rivulet.seed", System.nanoTime());
    private final SplittableRandom random = new SplittableRandom(seed);

    @RepeatedTest(20)
    void aGroupThatGrewAndWasCutHasTheChecksumOfItsBytes() {
        LogGroup group = new LogGroup(4 << 20, random.nextBoolean() ? 8 : 4096);
        for (int round = 0; round < 3; round++) {
            growAndCut(group);
            ByteBuffer written = placed(group);

            assertThat(LogGroupLayout.crcMatches(STORE_ID, written, 0, written.capacity()))
                    .as("rivulet.seed=" + seed)
                    .isTrue();
            group.clear();
        }
    }

    private void growAndCut(LogGroup group) {
        int mark = 0;
        for (int entries = 0; group.body().position() < MAX_BODY_BYTES; entries++) {
            switch (random.nextInt(8)) {
                case 0 -> mark = group.body().position();
                case 1 -> group.cutTo(entries, mark);
                case 2, 3 -> addSummed(group);
                default -> LogFixture.fill(group, random.nextLong(), Long.BYTES + random.nextInt(MAX_ENTRY_BYTES));
            }
        }
    }

    /** The checksum of a part of the entry is known, or of all of it. */
    private void addSummed(LogGroup group) {
        byte[] entry = new byte[1 + random.nextInt(MAX_ENTRY_BYTES)];
        random.nextBytes(entry);
        int summed = random.nextInt(entry.length + 1);
        if (group.hasRoom(entry.length)) {
            group.body().put(entry);
            group.entryAdded(summed, crc(entry, entry.length - summed, summed));
        }
    }

    private static ByteBuffer placed(LogGroup group) {
        group.place(4096, STORE_ID, 1, 0, 0);
        return group.placed();
    }

    @Test
    void theChecksumsOfTwoPartsJoinToTheOneOfBoth() {
        for (int i = 0; i < 2000; i++) {
            byte[] bytes = new byte[random.nextInt(5000)];
            random.nextBytes(bytes);
            int split = random.nextInt(bytes.length + 1);

            int joined =
                    JoinedCrc.join(crc(bytes, 0, split), crc(bytes, split, bytes.length - split), bytes.length - split);

            assertThat(joined).as("rivulet.seed=" + seed).isEqualTo(crc(bytes, 0, bytes.length));
        }
    }

    @Test
    void theChecksumsOfManyPartsJoinToTheOneOfAll() {
        byte[] bytes = new byte[1 << 20];
        random.nextBytes(bytes);
        JoinedCrc joined = new JoinedCrc();
        int[] lengths = {0, 1, 60, 33_000, 1024, 1 + random.nextInt(5000)};
        for (int at = 0; at < bytes.length; ) {
            int length = Math.min(lengths[random.nextInt(lengths.length)], bytes.length - at);
            joined.add(crc(bytes, at, length), length);
            at += length;
        }

        assertThat(joined.value()).as("rivulet.seed=" + seed).isEqualTo(crc(bytes, 0, bytes.length));
    }

    private static int crc(byte[] bytes, int from, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, from, length);
        return (int) crc.getValue();
    }
}
