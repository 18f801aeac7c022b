package io.rivulet.store.log.local;

import static io.rivulet.store.log.LogFixture.replay;
import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.store.Durability;
import io.rivulet.store.log.CommitLog;
import io.rivulet.store.log.CommitLogContractTest;
import io.rivulet.store.log.LogConfig;
import io.rivulet.store.log.LogGroupLayout;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** The contract of every log, and what depends on segments. */
abstract class LocalLogContractTest extends CommitLogContractTest {
    private static final int GROUPS_IN_A_SEGMENT = 4;

    /** Opens the same log each time within one test. */
    abstract CommitLog open(LocalLogConfig config, Runnable wakeUp) throws IOException;

    @Override
    protected final CommitLog open(LogConfig config, Runnable wakeUp) throws IOException {
        return open(
                LocalLogConfig.DEFAULT
                        .withLog(config)
                        .withSegmentBytes((long) GROUPS_IN_A_SEGMENT * config.groupBytes()),
                wakeUp);
    }

    /** A checkpoint may begin there. */
    @Test
    void aWatermarkAtTheEndOfATrimmedSegmentIsNotTrimmedItself() throws Exception {
        int fullBody = 4096 - LogGroupLayout.HEADER_BYTES - LogGroupLayout.CRC_BYTES;
        long groups = (SmallLog.CONFIG.segmentBytes() - SegmentLayout.HEADER_BYTES) / 4096;
        for (long number = 0; number < groups; number++) {
            fixture.append(log, number, fullBody);
        }
        long watermark = log.writtenLsn();
        appendNumbers(groups, groups + 5);

        log.trimBefore(watermark);

        assertThat(log.firstLsn()).isGreaterThan(watermark);
        assertThat(log.hasAllFrom(watermark)).isTrue();
        assertThat(log.hasAllFrom(watermark - 1)).isFalse();
        assertThat(replay(log, watermark)).isEqualTo(numbers(groups, groups + 5));
    }

    /**
     * Small groups go through the page cache, large ones bypass it, and both go into segments that were used before.
     */
    @Test
    void smallAndLargeGroupsWithoutForcesAreStoredSideBySide() throws Exception {
        LocalLogConfig config = SmallLog.CONFIG
                .withDurability(Durability.OS)
                .withGroups(4, 24 << 10)
                .withInPlace(24 << 10);
        log.close();
        log = open(config, fixture);
        long trimmedTo = 0;
        for (long number = 0; number < 200; number++) {
            long lsn = fixture.append(log, number, number % 3 == 0 ? 20_000 : BODY_BYTES);
            if (number == 100) {
                log.force();
                log.trimBefore(lsn);
                trimmedTo = lsn;
            }
        }
        assertThat(replay(log, trimmedTo)).isEqualTo(numbers(100, 200));
        log.close();
        log = open(config, fixture);

        assertThat(replay(log, trimmedTo)).isEqualTo(numbers(100, 200));
    }
}
