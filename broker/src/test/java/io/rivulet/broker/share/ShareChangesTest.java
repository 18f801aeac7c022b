package io.rivulet.broker.share;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.error.ErrorCode;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * While an entry is on its way to the log that resets or removes a row, or deletes the group, no other entry may follow
 * it that says something about records from before.
 */
final class ShareChangesTest {
    private static final int QUEUE = 7;
    private static final Limits LIMITS = new Limits(5, 100, 1000, true);

    private final ShareMemory memory = new ShareMemory(1 << 20);
    private final ShareGroup group = new ShareGroup("g", memory, new ShareCounters());

    private @Nullable Claim claim(long end) {
        return group.claim(QUEUE, 0, end, 100, LIMITS, new NoWaiter(), 0);
    }

    private void acquire(long first, long last, String member) {
        Claim claim = Objects.requireNonNull(claim(last + 1));
        Spans read = new Spans();
        read.add(first, last);
        assertThat(group.acquire(claim, read, last + 1, Long.MAX_VALUE, 1, member, 1000))
                .containsExactly(new Acquired(first, last, 1));
        boolean unused = group.unclaim(claim, last + 1, LIMITS, new NoWaiter(), 0);
    }

    private List<Run> released(String member) {
        Results results = new Results();
        group.release(member, LIMITS, results);
        return results.runs();
    }

    private List<Run> expired(long now) {
        Results results = new Results();
        group.expire(now, LIMITS, Integer.MAX_VALUE, results);
        return results.runs();
    }

    @Test
    void noDeliveryEndsBehindTheEntryThatResetsItsRow() {
        group.create(QUEUE, 10);
        acquire(10, 14, "m");

        group.closing(QUEUE);

        assertThat(group.firstDeadline()).isNull();
        assertThat(expired(2000)).isEmpty();
        assertThat(released("m")).isEmpty();
        assertThat(claim(30)).isNull();
        List<AckBatch> all = List.of(new AckBatch(10, 14, AckType.ACCEPT));
        assertThat(group.acknowledge(QUEUE, "m", all, LIMITS, 0, new Results()))
                .isEqualTo(ErrorCode.INVALID_RECORD_STATE);
        group.reset(QUEUE, 3);
        assertThat(group.startOffset(QUEUE)).isEqualTo(3);
        assertThat(group.lockCount()).isZero();
    }

    @Test
    void deliveriesEndAgainWhenTheLogHasRefusedTheReset() {
        group.create(QUEUE, 10);
        acquire(10, 14, "m");
        Results pending = new Results();
        List<AckBatch> one = List.of(new AckBatch(10, 10, AckType.ACCEPT));
        assertThat(group.acknowledge(QUEUE, "m", one, LIMITS, 0, pending)).isEqualTo(ErrorCode.NONE);
        group.closing(QUEUE);
        group.rollBack(pending.runs(), 5000);
        assertThat(group.firstDeadline()).isNull();

        group.reopen(QUEUE, 3000);

        assertThat(group.lockCount()).isEqualTo(2);
        assertThat(expired(2999)).isEmpty();
        assertThat(expired(3000)).hasSize(2);
    }

    @Test
    void noDeliveryEndsBehindTheEntryThatDeletesTheGroup() {
        group.create(QUEUE, 10);
        acquire(10, 14, "m");
        group.closing(true);
        assertThat(group.firstDeadline()).isNull();
        assertThat(expired(2000)).isEmpty();
        assertThat(released("m")).isEmpty();

        group.closing(false);
        assertThat(released("m")).hasSize(1);
    }

    /** Otherwise a fetch begins where it wants, and its entry, which comes later, moves the row forward again. */
    @Test
    void noFetchBeginsInAQueueThatGetsItsFirstOffset() {
        assertThat(group.createAll(new int[] {QUEUE, 8}, new long[] {3, 4})).containsExactly(QUEUE, 8);
        assertThat(group.createAll(new int[] {QUEUE}, new long[] {5})).isEmpty();
        group.closing(QUEUE);
        assertThat(group.isClosing(QUEUE)).isTrue();
        assertThat(claim(30)).isNull();
        assertThat(group.startOffset(QUEUE)).isEqualTo(3);
    }

    @Test
    void rowsThatOffsetsAreSetForCountAgainstTheLimit() {
        assertThat(group.hasRoomFor(new int[1000])).isTrue();
        assertThat(group.hasRoomFor(new int[20_000])).isFalse();
    }

    @Test
    void theRowsOfDeletedQueuesAreRemoved() {
        for (int queue = 0; queue < 20; queue++) {
            group.create(queue, 1);
        }
        group.removeAll(3, 2);
        assertThat(group.rowCount()).isEqualTo(18);
        assertThat(group.startOffset(4)).isEqualTo(ShareGroup.NO_ROW);
        assertThat(group.startOffset(5)).isEqualTo(1);
        group.removeAll(10, 1_000_000_000);
        assertThat(group.rowCount()).isEqualTo(8);
        group.delete();
        assertThat(memory.bytes()).isZero();
    }

    /** A member that never answers would fill the memory of all groups. */
    @Test
    void whatWasAcquiredInVainLeavesNothing() {
        group.create(QUEUE, 10);
        long before = memory.bytes();
        Claim claim = Objects.requireNonNull(claim(20));
        Spans read = new Spans();
        for (int offset = 10; offset < 20; offset++) {
            read.add(offset, offset);
        }
        List<Acquired> acquired = group.acquire(claim, read, 20, Long.MAX_VALUE, 1, "m", 1000);
        assertThat(acquired).hasSize(10);
        boolean unused = group.unclaim(claim, 20, LIMITS, new NoWaiter(), 0);
        group.undo(QUEUE, acquired, "m");
        assertThat(memory.bytes()).isEqualTo(before);
        assertThat(group.runsOf(QUEUE)).isNull();
    }
}
