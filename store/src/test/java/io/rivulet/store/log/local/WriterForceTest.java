package io.rivulet.store.log.local;

import static io.rivulet.store.log.LogFixture.appendOnly;
import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.store.Durability;
import io.rivulet.store.io.CrashDisk;
import io.rivulet.store.io.FaultyDisk;
import io.rivulet.store.io.FaultyDisk.Op;
import io.rivulet.store.log.AppendOutcome;
import io.rivulet.store.log.LogFixture;
import io.rivulet.store.thread.Workers.Worker;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Small groups are forced by the thread that appended them, when it calls {@code forceLeft}. */
class WriterForceTest {
    private static final int SMALL_BYTES = 100;
    private static final int LARGE_BYTES = 6000;

    private final FaultyDisk disk = new FaultyDisk(new CrashDisk());
    private int signals;

    private LocalCommitLog open(Durability durability) throws IOException {
        return LocalCommitLog.open(
                disk,
                SmallLog.CONFIG.withDurability(durability).withInPlace(4096),
                () -> {},
                (name, work) -> name.equals("log-force") ? counting() : new InlineWorkers().start(name, work));
    }

    /** A worker whose work never runs. */
    private Worker counting() {
        return new Worker() {
            @Override
            public void signal() {
                signals++;
            }

            @Override
            public void close() {}
        };
    }

    @Test
    void aSmallGroupIsDurableWhenTheWriterHasForcedItAndWakesNobody() throws Exception {
        LocalCommitLog log = open(Durability.FSYNC);
        long lsn = appendOnly(log, 1, SMALL_BYTES);
        assertThat(LogFixture.outcome(log, lsn)).isEqualTo(AppendOutcome.PENDING);

        assertThat(log.forceLeft()).isTrue();

        assertThat(LogFixture.outcome(log, lsn)).isEqualTo(AppendOutcome.DURABLE);
        assertThat(log.forceLeft()).isFalse();
        assertThat(signals).isZero();
    }

    @Test
    void aSecondSmallGroupIsLeftWithTheFirst() throws Exception {
        LocalCommitLog log = open(Durability.FSYNC);
        long first = appendOnly(log, 1, SMALL_BYTES);
        assertThat(log.smallGroupsOnTheirWay()).isEqualTo(2);
        long second = appendOnly(log, 2, SMALL_BYTES);
        assertThat(log.smallGroupsOnTheirWay()).isEqualTo(2);
        assertThat(LogFixture.outcome(log, first)).isEqualTo(AppendOutcome.PENDING);

        assertThat(log.forceLeft()).isTrue();

        assertThat(log.smallGroupsOnTheirWay()).isEqualTo(1);
        assertThat(LogFixture.outcome(log, first)).isEqualTo(AppendOutcome.DURABLE);
        assertThat(LogFixture.outcome(log, second)).isEqualTo(AppendOutcome.DURABLE);
        assertThat(log.counters().forces()).isEqualTo(1);
        assertThat(signals).isZero();
    }

    @Test
    void oneForceCoversASmallGroupAndTheLargeOneAfterIt() throws Exception {
        LocalCommitLog log = open(Durability.FSYNC);
        appendOnly(log, 1, SMALL_BYTES);
        appendOnly(log, 2, LARGE_BYTES);

        assertThat(log.smallGroupsOnTheirWay()).isEqualTo(1);
        assertThat(log.forceLeft()).isFalse();
        assertThat(signals).isPositive();
    }

    @Test
    void aLargeGroupIsNotLeftToTheWriter() throws Exception {
        LocalCommitLog log = open(Durability.FSYNC);
        appendOnly(log, 1, LARGE_BYTES);

        assertThat(log.forceLeft()).isFalse();
        assertThat(signals).isEqualTo(1);
    }

    @Test
    void aSmallGroupAfterOneInFlightIsWrittenWithIt() throws Exception {
        LocalCommitLog log = open(Durability.FSYNC);
        appendOnly(log, 1, LARGE_BYTES);
        appendOnly(log, 2, SMALL_BYTES);

        assertThat(log.forceLeft()).isFalse();
        assertThat(signals).isEqualTo(2);
    }

    @Test
    void aForceOfTheWriterThatFailsIsFinal() throws Exception {
        LocalCommitLog log = open(Durability.FSYNC);
        long lsn = appendOnly(log, 1, SMALL_BYTES);
        disk.failNth(Op.FORCE, 1);

        log.forceLeft();

        assertThat(log.failure()).isNotNull();
        assertThat(LogFixture.outcome(log, lsn)).isEqualTo(AppendOutcome.UNKNOWN);
    }

    @Test
    void withoutForcesNothingIsLeft() throws Exception {
        LocalCommitLog log = open(Durability.OS);
        appendOnly(log, 1, SMALL_BYTES);

        assertThat(log.forceLeft()).isFalse();
    }
}
