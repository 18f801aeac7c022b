package io.rivulet.store.log.local;

import static io.rivulet.store.log.LogFixture.appendOnly;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rivulet.store.io.CrashDisk;
import io.rivulet.store.io.Disk;
import io.rivulet.store.log.DamagedLogException;
import io.rivulet.store.log.LogGroupView;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LogInspectorTest {
    private static final String FIRST_FILE = SegmentLayout.fileName(0);

    private final CrashDisk disk = new CrashDisk();
    private final List<Long> lsns = new ArrayList<>();

    private void appendGroups(int count) throws Exception {
        LocalCommitLog log = LocalCommitLog.open(disk, SmallLog.CONFIG, () -> {}, new InlineWorkers());
        for (int number = 0; number < count; number++) {
            lsns.add(appendOnly(log, number, 4000));
        }
    }

    private static List<String> inspect(Disk disk) throws IOException {
        List<String> seen = new ArrayList<>();
        LogInspector.inspect(disk, new LogInspector.Visitor() {
            @Override
            public void state(long storeId, long epoch, long durableLsn, boolean clean) {
                seen.add("state " + epoch + " " + clean);
            }

            @Override
            public void segment(String file, long baseLsn, long segmentBytes) {
                seen.add("segment " + file);
            }

            @Override
            public void walkedFrom(long lsn) {
                seen.add("walked from " + lsn);
            }

            @Override
            public void group(String file, long address, LogGroupView group) {
                seen.add("group " + group.timestamp());
            }

            @Override
            public void problem(String file, long address, String what) {
                seen.add("problem " + file + " " + address);
            }

            @Override
            public void end(String file, long address, long lsn, String what) {
                seen.add("end " + file + " " + address);
            }
        });
        return seen;
    }

    @Test
    void aWholeLogIsShownFromFrontToEnd() throws Exception {
        appendGroups(3);

        assertThat(inspect(disk))
                .containsExactly(
                        "state 1 false",
                        "segment " + FIRST_FILE,
                        "segment " + SegmentLayout.fileName(32 << 10),
                        "walked from " + SegmentLayout.HEADER_BYTES,
                        "group 0",
                        "group 1",
                        "group 2",
                        "end " + FIRST_FILE + " " + (lsns.get(2) + 4064));
    }

    @Test
    void damageIsReportedAndTheGroupsAfterItAreShown() throws Exception {
        appendGroups(5);
        disk.flipBit(FIRST_FILE, lsns.get(1) + 77, 0);
        disk.flipBit(FIRST_FILE, lsns.get(2) + 77, 0);

        assertThat(inspect(disk))
                .contains("group 0", "problem " + FIRST_FILE + " " + lsns.get(1), "group 3", "group 4")
                .doesNotContain("group 1", "group 2");
    }

    /** The inspector must report whether a damage stops the start. A report without that would offer no repair. */
    @Test
    void anOpeningRefusesTheDamageThatItWalksOver() throws Exception {
        appendGroups(33);
        long from = walkedFrom();
        long second = lsns.stream().filter(lsn -> lsn > from).findFirst().orElseThrow();
        String walked = SegmentLayout.fileName(from - SegmentLayout.HEADER_BYTES);

        disk.flipBit(walked, second - from + SegmentLayout.HEADER_BYTES + 77, 0);

        assertThatThrownBy(() -> LocalCommitLog.open(disk, SmallLog.CONFIG, () -> {}, new InlineWorkers()))
                .isInstanceOf(DamagedLogException.class)
                .hasMessageContaining(walked);
    }

    /** There is no group behind the last one that tells of the damage, but the state of a closed log knows its end. */
    @Test
    void aLogThatEndsBeforeItsDurableEndIsDamaged() throws Exception {
        LocalCommitLog log = LocalCommitLog.open(disk, SmallLog.CONFIG, () -> {}, new InlineWorkers());
        long last = 0;
        for (int number = 0; number < 3; number++) {
            last = appendOnly(log, number, 4000);
        }
        log.close();
        assertThat(inspect(disk)).contains("state 1 true").noneMatch(line -> line.startsWith("problem"));

        disk.flipBit(FIRST_FILE, last + 77, 0);

        assertThat(inspect(disk)).anyMatch(line -> line.startsWith("problem"));
        assertThatThrownBy(() -> LocalCommitLog.open(disk, SmallLog.CONFIG, () -> {}, new InlineWorkers()))
                .isInstanceOf(DamagedLogException.class)
                .hasMessageContaining("was durable");
    }

    @Test
    void anOpeningDoesNotReadDamageBeforeThat() throws Exception {
        appendGroups(33);
        assertThat(walkedFrom()).isGreaterThan(lsns.get(1));

        disk.flipBit(FIRST_FILE, lsns.get(1) + 77, 0);

        assertThat(LocalCommitLog.open(disk, SmallLog.CONFIG, () -> {}, new InlineWorkers())
                        .writtenLsn())
                .isGreaterThan(lsns.get(32));
    }

    private long walkedFrom() throws IOException {
        return inspect(disk).stream()
                .filter(line -> line.startsWith("walked from "))
                .mapToLong(line -> Long.parseLong(line.substring("walked from ".length())))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aTornTailIsAnEndAndNoProblem() throws Exception {
        appendGroups(3);
        disk.flipBit(FIRST_FILE, lsns.get(2) + 77, 0);

        assertThat(inspect(disk))
                .endsWith("group 0", "group 1", "end " + FIRST_FILE + " " + lsns.get(2))
                .noneMatch(line -> line.startsWith("problem"));
    }

    @Test
    void aMissingSegmentAndAnAlteredHeaderAreNamed() throws Exception {
        appendGroups(30);
        String second = SegmentLayout.fileName(32 << 10);
        String third = SegmentLayout.fileName(64 << 10);
        disk.flipBit(second, 20, 0);

        assertThat(inspect(disk))
                .contains("problem " + second + " 0", "problem " + third + " 0", "group 0", "group 29");
    }

    @Test
    void aMissingStateIsNamed() throws Exception {
        appendGroups(2);
        disk.delete(LogState.NAME);

        assertThat(inspect(disk)).contains("problem log.state 0", "group 0", "group 1");
    }

    @Test
    void nothingIsChanged() throws Exception {
        appendGroups(5);
        int before = disk.traceLength();
        inspect(disk);

        assertThat(disk.traceLength()).isEqualTo(before);
    }
}
