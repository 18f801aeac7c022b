package io.rivulet.store.log.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.store.io.CrashDisk;
import io.rivulet.store.io.FaultyDisk;
import io.rivulet.store.io.FaultyDisk.Op;
import io.rivulet.store.log.CommitLog;
import io.rivulet.store.log.LogFixture;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** A group that was not reused yet is read from memory. */
final class RecentGroupsTest {
    private static final int BODY_BYTES = 4000;
    private static final LocalLogConfig CONFIG =
            LocalLogConfig.DEFAULT.withGroups(2, 8192).withSegmentBytes(1 << 20);

    private final LogFixture fixture = new LogFixture();
    private final FaultyDisk disk = new FaultyDisk(new CrashDisk());

    @Test
    void theLastGroupsAreReadWithoutTheDiskAndOlderOnesFromIt() throws Exception {
        try (CommitLog log = LocalCommitLog.open(disk, CONFIG, fixture, new InlineWorkers())) {
            long first = fixture.append(log, 1, BODY_BYTES);
            long readsBefore = disk.count(Op.READ);

            assertThat(read(log, first)).isEqualTo(LogFixture.body(1, BODY_BYTES));
            assertThat(disk.count(Op.READ)).isEqualTo(readsBefore);

            fixture.append(log, 2, BODY_BYTES);
            fixture.append(log, 3, BODY_BYTES);
            assertThat(read(log, first)).isEqualTo(LogFixture.body(1, BODY_BYTES));
            assertThat(disk.count(Op.READ)).isEqualTo(readsBefore + 1);
        }
    }

    private static ByteBuffer read(CommitLog log, long lsn) throws IOException {
        ByteBuffer target = ByteBuffer.allocate(BODY_BYTES);
        log.read(lsn, 0, BODY_BYTES, target);
        return target.flip();
    }
}
