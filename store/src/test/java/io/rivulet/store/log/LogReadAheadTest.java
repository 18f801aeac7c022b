package io.rivulet.store.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.store.io.CrashDisk;
import io.rivulet.store.io.FaultyDisk;
import io.rivulet.store.io.FaultyDisk.Op;
import java.io.IOException;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A long replay has the system read ahead of it, which changes nothing of what it shows. */
final class LogReadAheadTest {
    private static final int BODY_BYTES = 500_000;
    /** Together more than is read ahead of, in several segments. */
    private static final int GROUPS = 30;

    private static final LogConfig CONFIG =
            LogConfig.DEFAULT.withGroups(2, 1 << 20).withSegmentBytes(4 << 20);

    private final LogFixture fixture = new LogFixture();
    private final FaultyDisk disk = new FaultyDisk(new CrashDisk());
    private final List<Long> numbers = LongStream.range(0, GROUPS).boxed().toList();

    @BeforeEach
    void appendGroups() throws Exception {
        try (CommitLog log = LocalCommitLog.open(disk, CONFIG, fixture, new InlineWorkers())) {
            for (long number : numbers) {
                fixture.append(log, number, BODY_BYTES);
            }
        }
    }

    @Test
    void everyByteIsReadOnceMoreAndNoGroupIsMissed() throws Exception {
        long alone = readsOfAReplay(new ManualWorkers("log-read-ahead"));
        long ahead = readsOfAReplay(new InlineWorkers());

        assertThat(ahead - alone).isBetween(10L, 2L * GROUPS);
    }

    private long readsOfAReplay(Workers workers) throws IOException {
        try (CommitLog log = LocalCommitLog.open(disk, CONFIG, fixture, workers)) {
            long before = disk.count(Op.READ);
            assertThat(LogFixture.replay(log)).isEqualTo(numbers);
            return disk.count(Op.READ) - before;
        }
    }

    @Test
    void onAThreadOfItsOwnTooNoGroupIsMissed() throws Exception {
        try (CommitLog log = LocalCommitLog.open(disk, CONFIG, fixture, Workers.threads())) {
            assertThat(LogFixture.replay(log)).isEqualTo(numbers);
        }
    }

    @Test
    void aReadAheadThatFailsHurtsNobody() throws Exception {
        try (CommitLog log = LocalCommitLog.open(disk, CONFIG, fixture, new InlineWorkers())) {
            disk.failNth(Op.READ, 2);

            assertThat(LogFixture.replay(log)).isEqualTo(numbers);
        }
    }
}
