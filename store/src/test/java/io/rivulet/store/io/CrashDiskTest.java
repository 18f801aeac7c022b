package io.rivulet.store.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The crash disk can lose what a power cut may lose, and nothing else. */
class CrashDiskTest {
    private static final int SEEDS = 500;

    private final CrashDisk disk = new CrashDisk();

    private DiskFile created(String name) throws IOException {
        DiskFile file = disk.create(name);
        disk.syncDirectory();
        return file;
    }

    private static ByteBuffer filled(int value, int lengthBytes) {
        byte[] bytes = new byte[lengthBytes];
        Arrays.fill(bytes, (byte) value);
        return ByteBuffer.wrap(bytes);
    }

    @Test
    void whatWasForcedIsAlwaysThere() throws Exception {
        DiskFile file = created("a");
        file.write(0, filled(1, 2000));
        file.force();
        file.write(2000, filled(2, 2000));

        for (long seed = 0; seed < SEEDS; seed++) {
            byte[] left = disk.afterPowerCut(disk.traceLength(), seed).content("a");
            assertThat(Arrays.copyOf(left, 2000)).containsOnly(1);
        }
    }

    @Test
    void whatWasNotForcedMayBeTornAtAnySector() throws Exception {
        DiskFile file = created("a");
        file.write(0, filled(1, 1536));

        Set<List<Byte>> seen = new HashSet<>();
        for (long seed = 0; seed < SEEDS; seed++) {
            byte[] left =
                    Arrays.copyOf(disk.afterPowerCut(disk.traceLength(), seed).content("a"), 1536);
            seen.add(List.of(left[0], left[512], left[1024]));
        }
        assertThat(seen).hasSize(8);
    }

    @Test
    void aLaterWriteMayBeThereWithoutAnEarlierOne() throws Exception {
        DiskFile file = created("a");
        file.write(0, filled(1, 512));
        file.write(512, filled(2, 512));

        boolean seen = false;
        for (long seed = 0; seed < SEEDS; seed++) {
            byte[] left =
                    Arrays.copyOf(disk.afterPowerCut(disk.traceLength(), seed).content("a"), 1024);
            seen |= left[0] == 0 && left[512] == 2;
        }
        assertThat(seen).isTrue();
    }

    @Test
    void aNameThatWasNotSyncedMayBeThereOrNot() throws Exception {
        disk.create("a");

        Set<List<String>> seen = new HashSet<>();
        for (long seed = 0; seed < SEEDS; seed++) {
            seen.add(disk.afterPowerCut(disk.traceLength(), seed).list());
        }
        assertThat(seen).containsExactlyInAnyOrder(List.of(), List.of("a"));
    }

    @Test
    void aRenameHappensWhollyOrNotAtAll() throws Exception {
        created("new").write(0, filled(2, 1));
        created("old").write(0, filled(1, 1));
        disk.open("new").force();
        disk.open("old").force();
        disk.rename("new", "old");

        Set<List<String>> seen = new HashSet<>();
        for (long seed = 0; seed < SEEDS; seed++) {
            CrashDisk left = disk.afterPowerCut(disk.traceLength(), seed);
            seen.add(left.list());
            assertThat(left.content("old")).isEqualTo(new byte[] {(byte) (left.exists("new") ? 1 : 2)});
        }
        assertThat(seen).containsExactlyInAnyOrder(List.of("old"), List.of("new", "old"));
    }

    @Test
    void aDirectorySyncCoversItsOwnNamesOnly() throws Exception {
        disk.create("a");
        disk.directory("below").create("b");
        disk.directory("below").syncDirectory();

        boolean lost = false;
        for (long seed = 0; seed < SEEDS; seed++) {
            CrashDisk left = disk.afterPowerCut(disk.traceLength(), seed);
            assertThat(left.directory("below").list()).containsExactly("b");
            lost |= left.list().isEmpty();
        }
        assertThat(lost).isTrue();
    }

    @Test
    void aCutAtAnEarlierMomentHasNoLaterWrites() throws Exception {
        DiskFile file = created("a");
        file.write(0, filled(1, 10));
        file.force();
        int moment = disk.traceLength();
        file.write(0, filled(2, 10));
        file.force();

        assertThat(disk.afterPowerCut(moment, 1).content("a")).containsOnly(1);
    }

    @Test
    void aSeedAlwaysLeavesTheSame() throws Exception {
        created("a").write(0, filled(1, 100_000));

        byte[] once = disk.afterPowerCut(disk.traceLength(), 77).content("a");
        assertThat(disk.afterPowerCut(disk.traceLength(), 77).content("a")).isEqualTo(once);
    }

    @Test
    void theDeathOfTheProcessLosesNothing() throws Exception {
        disk.create("a").write(0, filled(1, 10));

        assertThat(disk.afterKill().content("a")).containsOnly(1);
    }
}
