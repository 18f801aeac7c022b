package io.rivulet.store.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rivulet.store.io.CrashDisk;
import io.rivulet.store.io.FaultyDisk;
import io.rivulet.store.io.FaultyDisk.Op;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** A replay whose groups are read by another thread, which comes early, late or never, and may fail. */
class GroupsAheadTest {
    private static final int GROUPS = 400;

    private final FaultyDisk disk = new FaultyDisk(new CrashDisk());
    private final List<Long> all = LongStream.range(0, GROUPS).boxed().toList();

    /** Many times what may wait to be visited: chunks are read into again and again. */
    private LocalCommitLog filled(Workers workers) throws Exception {
        LocalCommitLog log = LocalCommitLog.open(disk, LogFixture.SMALL, () -> {}, workers);
        SplittableRandom random = new SplittableRandom(6);
        for (long number : all) {
            LogFixture.appendOnly(log, number, random.nextInt(Long.BYTES, 3000));
        }
        return log;
    }

    @Test
    void whoReadsAheadDoesNotOverwriteWhatIsBeingVisited() throws Exception {
        try (CommitLog log = filled(Workers.threads())) {
            for (int replay = 0; replay < 20; replay++) {
                assertThat(LogFixture.replay(log)).isEqualTo(all);
            }
        }
    }

    @Test
    void aWorkerThatNeverComesIsNotWaitedFor() throws Exception {
        CommitLog log = filled(new ManualWorkers("log-replay"));
        assertThat(LogFixture.replay(log)).isEqualTo(all);
    }

    @Test
    void aWorkerThatComesNowAndThenReadsWhatIsNext() throws Exception {
        ManualWorkers workers = new ManualWorkers("log-replay");
        CommitLog log = filled(workers);
        SplittableRandom random = new SplittableRandom(7);
        List<Long> seen = new ArrayList<>();
        log.replay(log.firstLsn(), group -> {
            if (random.nextInt(20) == 0) {
                workers.runPending("log-replay");
            }
            seen.add(LogFixture.check(group));
        });
        assertThat(seen).isEqualTo(all);
    }

    @Test
    void whatCannotBeReadAheadIsMetBehindAllThatIsInFrontOfIt() throws Exception {
        ManualWorkers workers = new ManualWorkers("log-replay");
        CommitLog log = filled(workers);
        List<Long> seen = new ArrayList<>();
        assertThatThrownBy(() -> log.replay(log.firstLsn(), group -> {
                    if (seen.isEmpty()) {
                        disk.failNth(Op.READ, 3);
                        workers.runPending("log-replay");
                    }
                    seen.add(LogFixture.check(group));
                }))
                .isInstanceOf(IOException.class);
        assertThat(seen).hasSizeBetween(2, GROUPS - 1).isEqualTo(all.subList(0, seen.size()));
        assertThat(LogFixture.replay(log)).isEqualTo(all);
    }

    @Test
    void nothingIsReadAheadOfAVisitorThatFailed() throws Exception {
        ManualWorkers workers = new ManualWorkers("log-replay");
        CommitLog log = filled(workers);
        assertThatThrownBy(() -> log.replay(log.firstLsn(), group -> {
                    throw new IllegalStateException("seen enough");
                }))
                .hasMessage("seen enough");
        long reads = disk.count(Op.READ);
        workers.eager();
        assertThat(disk.count(Op.READ)).isEqualTo(reads);
    }
}
