package io.rivulet.store.faults;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Map;

/**
 * Shifts the wall clock of another process with a preloaded library. Its monotonic clock does not change.
 * The process is started with {@link #environment()}.
 *
 * <p>Owned by: one thread.
 */
public final class ClockShim {
    private static final String SOURCE = "clock_shim.c";

    private final Path library;
    private final Path control;

    private ClockShim(Path library, Path control) {
        this.library = library;
        this.control = control;
    }

    /** Skips the test if the library can't be compiled and preloaded; with CI=true the test fails. */
    public static ClockShim compile(Path scratch) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory(scratch, "clock").toRealPath();
        Path library = PreloadedLibrary.compile(ClockShim.class, SOURCE, folder);
        return new ClockShim(library, Files.write(folder.resolve("control"), new byte[Long.BYTES]));
    }

    /** The environment that the process needs. */
    public Map<String, String> environment() {
        return Map.of("LD_PRELOAD", library.toString(), "RIVULET_CLOCK", control.toString());
    }

    /** Sets the difference between the process's wall clock and the real one. */
    public void shift(Duration ahead) throws IOException {
        ByteBuffer millis = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
        millis.putLong(0, ahead.toMillis());
        try (FileChannel channel = FileChannel.open(control, StandardOpenOption.WRITE)) {
            channel.write(millis, 0);
        }
    }
}
