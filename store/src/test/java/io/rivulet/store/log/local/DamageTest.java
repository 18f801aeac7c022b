package io.rivulet.store.log.local;

import static io.rivulet.store.log.LogFixture.appendOnly;
import static io.rivulet.store.log.LogFixture.replay;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.rivulet.store.io.CrashDisk;
import io.rivulet.store.log.DamagedLogException;
import io.rivulet.store.log.LogGroupLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Damage to durable data is never taken for a torn end, and no altered byte is ever returned. */
class DamageTest {
    private static final int BODY_BYTES = 40;
    private static final int GROUPS = 5;
    private static final String FIRST_FILE = SegmentLayout.fileName(0);

    private final CrashDisk disk = new CrashDisk();
    private final List<Long> lsns = new ArrayList<>();
    private LocalCommitLog log;
    private long endLsn;

    DamageTest() throws IOException {
        log = open(disk);
    }

    private static LocalCommitLog open(CrashDisk disk) throws IOException {
        return LocalCommitLog.open(disk, SmallLog.CONFIG, () -> {}, new InlineWorkers());
    }

    @BeforeEach
    void appendGroups() throws Exception {
        for (int number = 0; number < GROUPS; number++) {
            lsns.add(appendOnly(log, number, BODY_BYTES));
        }
        endLsn = log.writtenLsn();
    }

    private static DamagedLogException assertRefused(CrashDisk damaged, String how) {
        int before = damaged.traceLength();
        DamagedLogException refusal = catchThrowableOfType(DamagedLogException.class, () -> open(damaged));
        assertThat(refusal).as(how).isNotNull().hasMessageContaining("bin/rivulet inspect");
        assertThat(damaged.traceLength()).as("what was done to the disk").isEqualTo(before);
        return refusal;
    }

    @Test
    void anyFlippedBitBeforeALaterGroupRefusesToOpenAndIsReported() {
        for (int group = GROUPS - 3; group < GROUPS - 1; group++) {
            for (long address = lsns.get(group); address < lsns.get(group + 1); address++) {
                for (int bit = 0; bit < Byte.SIZE; bit++) {
                    CrashDisk damaged = disk.afterKill();
                    damaged.flipBit(FIRST_FILE, address, bit);

                    DamagedLogException refusal = assertRefused(damaged, "byte " + address);
                    assertThat(refusal.file()).isEqualTo(FIRST_FILE);
                    assertThat(refusal.address()).isEqualTo(lsns.get(group));
                }
            }
        }
    }

    @Test
    void anyFlippedBitInTheLastGroupDropsIt() throws Exception {
        for (long address = lsns.get(GROUPS - 1); address < endLsn; address++) {
            for (int bit = 0; bit < Byte.SIZE; bit++) {
                CrashDisk damaged = disk.afterKill();
                damaged.flipBit(FIRST_FILE, address, bit);

                assertThat(replay(open(damaged))).containsExactly(0L, 1L, 2L, 3L);
            }
        }
    }

    @Test
    void anyFlippedBitInTheLastGroupRefusesToOpenAfterACleanClose() throws Exception {
        log.close();
        for (long address = lsns.get(GROUPS - 1); address < endLsn; address++) {
            CrashDisk damaged = disk.afterKill();
            damaged.flipBit(FIRST_FILE, address, (int) address % Byte.SIZE);

            assertRefused(damaged, "byte " + address);
        }
    }

    @Test
    void whatAnEarlierOpeningFoundDurableMustStillBeThere() throws Exception {
        open(disk.afterKill());
        CrashDisk damaged = disk.afterKill();
        open(damaged);
        CrashDisk twice = damaged.afterKill();
        twice.flipBit(FIRST_FILE, lsns.get(GROUPS - 1), 3);

        assertRefused(twice, "the last group");
    }

    @Test
    void anyFlippedBitInASegmentsHeaderRefusesToOpen() {
        for (long address = 0; address < 64; address++) {
            CrashDisk damaged = disk.afterKill();
            damaged.flipBit(FIRST_FILE, address, (int) address % Byte.SIZE);

            assertRefused(damaged, "byte " + address);
        }
    }

    @Test
    void anyFlippedBitInTheStateRefusesToOpen() {
        for (long address = 0; address < disk.content(LogState.NAME).length; address++) {
            CrashDisk damaged = disk.afterKill();
            damaged.flipBit(LogState.NAME, address, (int) address % Byte.SIZE);

            assertThat(assertRefused(damaged, "byte " + address).file()).isEqualTo(LogState.NAME);
        }
    }

    @Test
    void aZeroedStretchOverManyGroupsRefusesToOpen() {
        CrashDisk damaged = disk.afterKill();
        damaged.alter(FIRST_FILE, lsns.get(1), new byte[(int) (lsns.get(4) - lsns.get(1))]);

        assertThat(assertRefused(damaged, "zeros").address()).isEqualTo(lsns.get(1));
    }

    @Test
    void aMissingStateRefusesToOpen() throws Exception {
        CrashDisk damaged = disk.afterKill();
        damaged.delete(LogState.NAME);

        assertRefused(damaged, "no state");
    }

    @Test
    void aStateFromAnOlderCopyRefusesToOpen() throws Exception {
        byte[] oldState = disk.content(LogState.NAME);
        CrashDisk later = disk.afterKill();
        appendOnly(open(later), 5, BODY_BYTES);
        CrashDisk damaged = later.afterKill();
        damaged.alter(LogState.NAME, 0, oldState);

        assertThat(assertRefused(damaged, "old state").file()).isEqualTo(LogState.NAME);
    }

    @Test
    void aMissingSegmentRefusesToOpen() throws Exception {
        for (int number = GROUPS; number < 200; number++) {
            appendOnly(log, number, 4000);
        }
        String second = SegmentLayout.fileName(SmallLog.CONFIG.segmentBytes());
        CrashDisk damaged = disk.afterKill();
        damaged.delete(second);

        assertThat(assertRefused(damaged, "no second segment")).hasMessageContaining("missing");
    }

    @Test
    void missingSegmentsRefuseToOpen() throws Exception {
        log.close();

        assertRefused(withoutSegments(), "no segment");
    }

    @Test
    void missingSegmentsRefuseToOpenALogThatWasNeverClosed() throws Exception {
        log.saveSnapshot("first", out -> {});

        assertRefused(withoutSegments(), "no segment");
    }

    private CrashDisk withoutSegments() throws IOException {
        CrashDisk damaged = disk.afterKill();
        for (String name : damaged.list()) {
            if (SegmentLayout.isSegment(name)) {
                damaged.delete(name);
            }
        }
        return damaged;
    }

    @Test
    void aSegmentOfAnotherStoreRefusesToOpen() throws Exception {
        CrashDisk other = new CrashDisk();
        open(other);
        CrashDisk damaged = disk.afterKill();
        damaged.alter(FIRST_FILE, 0, other.content(FIRST_FILE));

        assertRefused(damaged, "a foreign segment");
    }

    @Test
    void damageAtTheEndOfASegmentRefusesToOpen() throws Exception {
        long lastOfFirst = 0;
        long lsn = 0;
        for (int number = GROUPS; lsn < SmallLog.CONFIG.segmentBytes(); number++) {
            lastOfFirst = lsn;
            lsn = appendOnly(log, number, 4000);
        }
        CrashDisk damaged = disk.afterKill();
        damaged.flipBit(FIRST_FILE, lastOfFirst + 2000, 5);

        assertThat(assertRefused(damaged, "last of its segment").address()).isEqualTo(lastOfFirst);
    }

    @Test
    void damageThatTheOpeningDoesNotReadIsFoundByTheReplay() throws Exception {
        for (int number = GROUPS; number < 200; number++) {
            appendOnly(log, number, 4000);
        }
        CrashDisk damaged = disk.afterKill();
        damaged.flipBit(FIRST_FILE, lsns.get(2) + 10, 1);
        LocalCommitLog opened = open(damaged);

        assertThatThrownBy(() -> replay(opened))
                .isInstanceOfSatisfying(
                        DamagedLogException.class, e -> assertThat(e.address()).isEqualTo(lsns.get(2)));
    }

    @Test
    void damageUnderAnOpenLogIsNotServed() {
        disk.flipBit(FIRST_FILE, lsns.get(2) + LogGroupLayout.HEADER_BYTES + 3, 1);

        assertThatThrownBy(() -> replay(log, lsns.get(2))).isInstanceOf(DamagedLogException.class);
        assertThatThrownBy(() -> replay(log)).isInstanceOf(DamagedLogException.class);
    }

    @Test
    void anyFlippedBitInASnapshotIsRefused() throws Exception {
        log.saveSnapshot("view", out -> out.write(ByteBuffer.wrap(new byte[] {1, 2, 3, 4, 5})));
        for (long address = 0; address < disk.content("view.snapshot").length; address++) {
            for (int bit = 0; bit < Byte.SIZE; bit++) {
                disk.flipBit("view.snapshot", address, bit);
                assertThatThrownBy(this::loadView).isInstanceOf(DamagedLogException.class);
                disk.flipBit("view.snapshot", address, bit);
            }
        }
        loadView();
    }

    @Test
    void aSnapshotThatIsCutShortIsRefused() throws Exception {
        log.saveSnapshot("view", out -> out.write(ByteBuffer.wrap(new byte[] {1, 2, 3, 4, 5})));
        for (int length = disk.content("view.snapshot").length - 1; length >= 0; length--) {
            disk.open("view.snapshot").truncate(length);

            assertThatThrownBy(this::loadView).isInstanceOf(DamagedLogException.class);
        }
    }

    private void loadView() throws IOException {
        log.loadSnapshot("view", in -> {
            ByteBuffer all = ByteBuffer.allocate(100);
            while (in.read(all) >= 0) {
                assertThat(all.position()).isLessThan(100);
            }
            assertThat(all.flip()).isEqualTo(ByteBuffer.wrap(new byte[] {1, 2, 3, 4, 5}));
        });
    }
}
