package io.rivulet.broker.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * How much of a disk the kernel reads ahead when a file is read in order. With 8 MiB, a small write waits for
 * milliseconds behind each such read. Immutable.
 *
 * @param setting the file that has the value, and in which root may change it
 * @param kib the value
 */
record KernelReadAhead(Path setting, long kib) {
    /** Up to this value, writes hardly wait. Linux itself sets 128. */
    private static final long HARMLESS_KIB = 1024;

    private static final Path DEVICES = Path.of("/sys/dev/block");

    /** Of the disk with this directory. Empty if that is not known: for file systems that are not on one disk. */
    static Optional<KernelReadAhead> of(Path directory) {
        try {
            return ofDevice(DEVICES, (long) Files.getAttribute(directory, "unix:dev"));
        } catch (IOException | RuntimeException e) {
            return Optional.empty();
        }
    }

    /** A partition has the setting of its disk. */
    static Optional<KernelReadAhead> ofDevice(Path devices, long device) throws IOException {
        Path block = devices.resolve(major(device) + ":" + minor(device));
        if (!Files.exists(block)) {
            return Optional.empty();
        }
        for (Path disk = block.toRealPath(); disk != null; disk = disk.getParent()) {
            Path setting = disk.resolve("queue").resolve("read_ahead_kb");
            if (Files.exists(setting)) {
                return Optional.of(new KernelReadAhead(
                        setting, Long.parseLong(Files.readString(setting).strip())));
            }
        }
        return Optional.empty();
    }

    private static long major(long device) {
        return ((device >>> 8) & 0xfff) | ((device >>> 32) & 0xffff_f000L);
    }

    private static long minor(long device) {
        return (device & 0xff) | ((device >>> 12) & 0xffff_ff00L);
    }

    /** Whether producers wait while a consumer reads old records. */
    boolean isHarmful() {
        return kib > HARMLESS_KIB;
    }
}
