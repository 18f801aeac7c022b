package io.rivulet.broker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KernelReadAheadTest {
    /** 259:0, as the kernel encodes it. */
    private static final long DISK = 259 << 8;

    private static final long PARTITION = DISK + 2;
    /** 8:65539: a minor number of more than eight bits is in two parts. */
    private static final long DISTANT = (8 << 8) | 3 | (65_536L << 12);

    @TempDir
    private Path system;

    private Path devices;
    private Path setting;

    @BeforeEach
    void aDiskWithAPartition() throws IOException {
        Path disk = Files.createDirectories(system.resolve("devices/pci/nvme0n1"));
        Files.createDirectories(disk.resolve("nvme0n1p2"));
        setting = Files.createDirectories(disk.resolve("queue")).resolve("read_ahead_kb");
        Files.writeString(setting, "4096\n");
        devices = Files.createDirectories(system.resolve("dev/block"));
        Files.createSymbolicLink(devices.resolve("259:0"), disk);
        Files.createSymbolicLink(devices.resolve("259:2"), disk.resolve("nvme0n1p2"));
        Files.createSymbolicLink(devices.resolve("8:65539"), disk);
    }

    @Test
    void isThatOfTheDisk() throws IOException {
        KernelReadAhead expected = new KernelReadAhead(setting.toRealPath(), 4096);
        assertThat(KernelReadAhead.ofDevice(devices, DISK)).contains(expected);
        assertThat(KernelReadAhead.ofDevice(devices, PARTITION)).contains(expected);
        assertThat(KernelReadAhead.ofDevice(devices, DISTANT)).contains(expected);
        assertThat(expected.isHarmful()).isTrue();
    }

    @Test
    void isUnknownWithoutOneDisk() throws IOException {
        assertThat(KernelReadAhead.ofDevice(devices, 42)).isEmpty();
        assertThat(KernelReadAhead.of(system.resolve("missing"))).isEmpty();
    }

    @Test
    void ofLinuxItselfIsHarmless() throws IOException {
        Files.writeString(setting, "128\n");
        assertThat(KernelReadAhead.ofDevice(devices, DISK))
                .hasValueSatisfying(found -> assertThat(found.isHarmful()).isFalse());
    }

    /** A file system that is not on one disk has a number of its own, which no disk has. */
    @Test
    void findsTheDiskOfThisDirectoryIfItIsOnOne() throws IOException {
        Path disk = Path.of("/sys/dev/block").resolve(numberInListOfMounts(system.toRealPath()));

        assertThat(KernelReadAhead.of(system).isPresent()).as("%s", disk).isEqualTo(Files.exists(disk));
    }

    /** {@code major:minor} of the mount with the longest path that is above the directory. */
    private static String numberInListOfMounts(Path directory) throws IOException {
        Path mounts = Path.of("/proc/self/mountinfo");
        int longest = -1;
        String number = "none";
        for (String line : Files.exists(mounts) ? Files.readAllLines(mounts) : List.<String>of()) {
            String[] fields = line.split(" ");
            Path mount = Path.of(fields[4]);
            if (directory.startsWith(mount) && mount.getNameCount() >= longest) {
                longest = mount.getNameCount();
                number = fields[2];
            }
        }
        return number;
    }
}
