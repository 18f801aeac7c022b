package io.rivulet.store.log.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.io.DiskFile;
import io.rivulet.store.io.FaultyDisk;
import io.rivulet.store.io.FaultyDisk.Op;
import io.rivulet.store.io.LocalDisk;
import io.rivulet.store.thread.Workers;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Whatever is read, in whatever order, is what the segments have. */
class ReplayAheadReadsTest {
    private static final int SEGMENT_BYTES = (5 << 20) + SegmentLayout.HEADER_BYTES;
    private static final int SEGMENTS = 3;
    private static final long BASE_LSN = 7L * SEGMENT_BYTES;
    private static final long LIMIT_LSN = BASE_LSN + (long) SEGMENTS * SEGMENT_BYTES;
    private static final int MAX_READ_BYTES = 3 << 20;

    @Property(tries = 12)
    void readsWhatTheSegmentsHave(@ForAll long seed) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        byte[] content = new byte[SEGMENTS * SEGMENT_BYTES];
        random.nextBytes(content);
        Path directory = Files.createTempDirectory("ahead");
        FaultyDisk disk = new FaultyDisk(new LocalDisk(directory));
        if (random.nextBoolean()) {
            int nth = 1 + random.nextInt(20);
            disk.failNth(Op.READ, nth, name -> Thread.currentThread().getName().equals("replay-ahead"));
        }
        List<Segment> row = new ArrayList<>();
        try {
            for (int i = 0; i < SEGMENTS; i++) {
                row.add(segment(disk, i, content));
            }
            readAndCompare(random, row, content);
        } finally {
            for (Segment segment : row) {
                segment.file().close();
            }
            for (String name : disk.list()) {
                disk.delete(name);
            }
            Files.delete(directory);
        }
    }

    private static Segment segment(FaultyDisk disk, int index, byte[] content) throws Exception {
        long baseLsn = BASE_LSN + (long) index * SEGMENT_BYTES;
        DiskFile file = disk.create(SegmentLayout.fileName(baseLsn), ReplayAheadTest.modeOf(disk));
        ByteBuffer bytes =
                ByteBuffer.allocateDirect(SEGMENT_BYTES + file.alignmentBytes()).alignedSlice(file.alignmentBytes());
        bytes.put(content, index * SEGMENT_BYTES, SEGMENT_BYTES).flip();
        file.write(0, bytes);
        return new Segment(file, new SegmentLayout.Header(1, baseLsn, SEGMENT_BYTES), () -> {});
    }

    private static void readAndCompare(SplittableRandom random, List<Segment> row, byte[] content) throws Exception {
        long fromLsn = BASE_LSN + random.nextInt(SEGMENT_BYTES);
        long untilLsn = LIMIT_LSN - random.nextInt(SEGMENT_BYTES);
        long cachedFromLsn = random.nextBoolean() ? Long.MAX_VALUE : random.nextLong(fromLsn, LIMIT_LSN);
        try (ReplayAhead ahead =
                new ReplayAhead(row, fromLsn, untilLsn, cachedFromLsn, Workers.threads(new FailureLatch()))) {
            long lsn = fromLsn;
            for (int reads = 0; reads < 60; reads++) {
                Segment segment = row.get(Segment.indexOf(row, lsn));
                ByteBuffer target = ByteBuffer.allocate(1 + random.nextInt(MAX_READ_BYTES));
                int expected = (int) Math.min(target.capacity(), segment.limitLsn() - lsn);

                assertThat(ahead.read(segment, lsn, target)).isEqualTo(expected);

                int at = (int) (lsn - BASE_LSN);
                assertThat(target.flip()).isEqualTo(ByteBuffer.wrap(content, at, expected));
                boolean jumps = random.nextInt(8) == 0 || lsn + expected == LIMIT_LSN;
                lsn = jumps ? random.nextLong(BASE_LSN, LIMIT_LSN) : lsn + expected;
            }
        }
    }
}
