package io.rivulet.store.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.store.io.CrashDisk;
import io.rivulet.store.io.FaultyDisk;
import io.rivulet.store.io.FaultyDisk.Op;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** A group that was not reused yet is read from memory. */
final class RecentGroupsTest {
    private static final int BODY_BYTES = 4000;
    private static final LogConfig CONFIG =
            LogConfig.DEFAULT.withGroups(2, 8192).withSegmentBytes(1 << 20);

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

    @Test
    void aCopyIsDiscardedIfTheNextGroupHasOverwrittenIt() throws IOException {
        LogGroup group = new LogGroup(8192, 8) {
            @Override
            void copied() {
                clear();
                body().put(LogFixture.body(2, BODY_BYTES));
            }
        };
        group.body().put(LogFixture.body(1, BODY_BYTES));
        group.place(segment(), 4096, 1, 1, 4096, 4096);
        ByteBuffer target = ByteBuffer.allocate(BODY_BYTES);

        assertThat(group.isRecently(4096)).isTrue();
        assertThat(group.copyIfStill(4096, 0, BODY_BYTES, target)).isFalse();
        assertThat(target.position()).isZero();
    }

    @Test
    void aGroupThatGrowsKeepsItsEntries() {
        LogGroup group = new LogGroup(1 << 20, 4096);
        int half = group.body().remaining() / 2;
        group.body().put(LogFixture.body(1, half));

        assertThat(group.hasRoom(500_000)).isTrue();
        assertThat(group.hasRoom(1 << 20)).isFalse();
        group.body().put(LogFixture.body(2, 500_000));

        assertThat(group.body().slice(0, half)).isEqualTo(LogFixture.body(1, half));
        assertThat(group.body().slice(half, 500_000)).isEqualTo(LogFixture.body(2, 500_000));
    }

    @Test
    void aGroupAllocatesAtMostOneStepMoreThanItNeeds() {
        LogGroup group = new LogGroup(4 << 20, 4096);
        int first = group.body().remaining();

        assertThat(group.hasRoom(first + 1)).isTrue();
        assertThat(group.body().remaining()).isBetween(first + 1, 512 << 10);

        assertThat(group.hasRoom(600 << 10)).isTrue();
        assertThat(group.body().remaining()).isBetween(600 << 10, 4 << 20);
    }

    @Test
    void aCopyFromMemoryIsDiscardedIfTheNextGroupHasReplacedTheMemory() throws IOException {
        LogGroup group = new LogGroup(1 << 20, 8) {
            @Override
            void copied() {
                clear();
                body().put(LogFixture.body(2, BODY_BYTES));
                assertThat(hasRoom(500_000)).isTrue();
            }
        };
        group.body().put(LogFixture.body(1, BODY_BYTES));
        group.place(segment(), 4096, 1, 1, 4096, 4096);

        assertThat(group.copyIfStill(4096, 0, BODY_BYTES, ByteBuffer.allocate(BODY_BYTES)))
                .isFalse();
        assertThat(group.isRecently(4096)).isFalse();
    }

    private Segment segment() throws IOException {
        return new Segment(disk.create("segment"), new SegmentLayout.Header(1, 0, 1 << 20), () -> {});
    }

    private static ByteBuffer read(CommitLog log, long lsn) throws IOException {
        ByteBuffer target = ByteBuffer.allocate(BODY_BYTES);
        log.read(lsn, 0, BODY_BYTES, target);
        return target.flip();
    }
}
