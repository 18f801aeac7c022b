package io.rivulet.it;

import io.rivulet.store.faults.PreloadedLibrary;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;

/**
 * Shifts the wall clock of another process with a preloaded library. Its monotonic clock does not change.
 *
 * <p>Owned by: one thread.
 */
final class ClockShim {
    private static final String SOURCE = "clock_shim.c";

    private final Path library;
    private final Path control;

    private ClockShim(Path library, Path control) {
        this.library = library;
        this.control = control;
    }

    /** Skips the test if the library can't be compiled and preloaded; with CI=true the test fails. */
    static ClockShim compile(Path scratch) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory(scratch, "clock").toRealPath();
        Path library = PreloadedLibrary.compile(ClockShim.class, SOURCE, folder);
        return new ClockShim(library, Files.write(folder.resolve("control"), new byte[Long.BYTES]));
    }

    /** Adds the library to the process. */
    ServerProcess.Launch on(ServerProcess.Launch launch) {
        return launch.environment("LD_PRELOAD", library.toString()).environment("RIVULET_CLOCK", control.toString());
    }

    /** Sets the difference between the process's wall clock and the real one. */
    void shift(Duration ahead) throws IOException {
        ByteBuffer millis = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
        millis.putLong(0, ahead.toMillis());
        try (FileChannel channel = FileChannel.open(control, StandardOpenOption.WRITE)) {
            channel.write(millis, 0);
        }
    }
}
