package io.rivulet.store.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

class QueueTableTest {
    private final QueueTable table = new QueueTable();

    @Test
    void aCreatedQueueIsEmptyAndOthersDoNotExist() {
        table.createRange(70_000, 3, 7);

        assertThat(table.exists(69_999)).isFalse();
        assertThat(table.exists(70_003)).isFalse();
        assertThat(table.exists(-1)).isFalse();
        assertThat(table.exists(Integer.MAX_VALUE)).isFalse();
        for (int id = 70_000; id < 70_003; id++) {
            assertThat(table.exists(id)).isTrue();
            assertThat(table.startOffset(id)).isZero();
            assertThat(table.endOffset(id)).isZero();
            assertThat(table.tailStart(id)).isZero();
            assertThat(table.retentionClass(id)).isEqualTo(7);
        }
        assertThat(table.liveQueues()).isEqualTo(3);
        assertThat(table.idLimit()).isEqualTo(70_003);
    }

    @Test
    void creatingAgainKeepsOffsetsAndTakesTheClass() {
        table.createRange(0, 2, 1);
        table.assign(0, 5);
        table.publish(0, 5);
        table.trim(0, 3);

        table.createRange(0, 2, 65_535);

        assertThat(table.startOffset(0)).isEqualTo(3);
        assertThat(table.endOffset(0)).isEqualTo(5);
        assertThat(table.nextOffset(0)).isEqualTo(5);
        assertThat(table.retentionClass(0)).isEqualTo(65_535);
        assertThat(table.liveQueues()).isEqualTo(2);
    }

    @Test
    void assignedOffsetsAreContiguousAndUnseenUntilPublished() {
        table.createRange(0, 1, 0);

        assertThat(table.assign(0, 3)).isEqualTo(0);
        assertThat(table.assign(0, 1)).isEqualTo(3);
        assertThat(table.endOffset(0)).isZero();

        table.publish(0, 4);
        assertThat(table.endOffset(0)).isEqualTo(4);
    }

    @Test
    void trimOnlyRaises() {
        table.createRange(0, 1, 0);
        table.trim(0, 10);
        table.trim(0, 4);
        assertThat(table.startOffset(0)).isEqualTo(10);
    }

    @Test
    void aChunkIsDroppedWhenAllItsQueuesAreDeleted() {
        table.createRange(0, QueueTable.QUEUES_PER_CHUNK + 1, 0);
        for (int id = 0; id < QueueTable.QUEUES_PER_CHUNK - 1; id++) {
            table.delete(id);
        }
        assertThat(table.rows(0)).isNotNull();
        table.delete(QueueTable.QUEUES_PER_CHUNK - 1);

        assertThat(table.rows(0)).isNull();
        assertThat(table.exists(5)).isFalse();
        assertThat(table.exists(QueueTable.QUEUES_PER_CHUNK)).isTrue();
        assertThat(table.liveQueues()).isEqualTo(1);
    }

    @Test
    void aChunkThatMayYetFillStaysWhenItsQueuesAreDeleted() {
        table.createRange(0, 1, 0);
        table.delete(0);
        table.delete(0);
        assertThat(table.rows(0)).isNotNull();
        assertThat(table.liveQueues()).isZero();
    }

    @Test
    void restoringRaisesButNeverLowers() {
        table.restore(4, 2, 10, 20);
        table.restore(4, 3, 5, 15);

        assertThat(table.startOffset(4)).isEqualTo(10);
        assertThat(table.tailStart(4)).isEqualTo(20);
        assertThat(table.endOffset(4)).isEqualTo(20);
        assertThat(table.nextOffset(4)).isEqualTo(20);
        assertThat(table.retentionClass(4)).isEqualTo(3);

        table.raiseTailStart(4, 30);
        assertThat(table.nextOffset(4)).isEqualTo(30);
    }

    @Test
    void nonsenseIsRefused() {
        assertThatThrownBy(() -> table.createRange(-1, 1, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> table.createRange(0, 0, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> table.createRange(Integer.MAX_VALUE - 1, 2, 0))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> table.createRange(0, 1, 65_536)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> table.assign(0, 1)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aRowKeepsItsFieldsApart() {
        long last = QueueRow.last(Integer.MAX_VALUE, 65_535, 256);
        assertThat(QueueRow.lastChunk(last)).isEqualTo(Integer.MAX_VALUE);
        assertThat(QueueRow.retentionClass(last)).isEqualTo(65_535);
        assertThat(QueueRow.writeAt(last)).isEqualTo(256);

        long moved = QueueRow.withLast(last, 3, 4);
        assertThat(QueueRow.lastChunk(moved)).isEqualTo(3);
        assertThat(QueueRow.retentionClass(moved)).isEqualTo(65_535);
        assertThat(QueueRow.writeAt(moved)).isEqualTo(4);
    }

    /** Ids are never reused, so the table only grows; what a queue costs must not grow with it. */
    @Test
    void aQueueCostsTheSameHoweverManyThereWere() {
        int lateId = 1 << 30;
        table.createRange(lateId, 1, 0);
        table.dirty().set(lateId);
        int lateChunk = lateId >>> QueueTable.CHUNK_SHIFT;
        allocatedByTen(table, lateChunk + 1);

        long early = allocatedByTen(new QueueTable(), 1);
        long late = allocatedByTen(table, lateChunk + 11);

        assertThat(late).isLessThan(2 * early);
    }

    /** Queues that are created, appended to and deleted, each in a chunk of its own. */
    private static long allocatedByTen(QueueTable table, int firstChunk) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int chunk = firstChunk; chunk < firstChunk + 10; chunk++) {
            int id = chunk << QueueTable.CHUNK_SHIFT;
            table.createRange(id, QueueTable.QUEUES_PER_CHUNK, 0);
            table.dirty().set(id);
            for (int i = 0; i < QueueTable.QUEUES_PER_CHUNK; i++) {
                table.delete(id + i);
            }
        }
        return threads.getCurrentThreadAllocatedBytes() - before;
    }
}
