package io.rivulet.store.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** How the memory of a group grows, and is read while it is reused. */
final class LogGroupTest {
    private static final int BODY_BYTES = 4000;

    @Test
    void aCopyIsDiscardedIfTheNextGroupHasOverwrittenIt() {
        LogGroup group = new LogGroup(8192, 8) {
            @Override
            void copied() {
                clear();
                body().put(LogFixture.body(2, BODY_BYTES));
            }
        };
        group.body().put(LogFixture.body(1, BODY_BYTES));
        group.place(4096, 1, 1, 4096, 4096);
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
    void aCopyFromMemoryIsDiscardedIfTheNextGroupHasReplacedTheMemory() {
        LogGroup group = new LogGroup(1 << 20, 8) {
            @Override
            void copied() {
                clear();
                body().put(LogFixture.body(2, BODY_BYTES));
                assertThat(hasRoom(500_000)).isTrue();
            }
        };
        group.body().put(LogFixture.body(1, BODY_BYTES));
        group.place(4096, 1, 1, 4096, 4096);

        assertThat(group.copyIfStill(4096, 0, BODY_BYTES, ByteBuffer.allocate(BODY_BYTES)))
                .isFalse();
        assertThat(group.isRecently(4096)).isFalse();
    }
}
