package io.rivulet.store.faults;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Makes the file system calls of another process fail or wait, by a preloaded library. The process is started with
 * {@link #environment()}. Faults may change while it runs, and apply from the next call on.
 *
 * <pre>
 * FaultShim shim = FaultShim.compile(scratch, dataDirectory);
 * ServerProcess server = ServerProcess.in(scratch).environment(shim.environment()).start();
 * shim.fail(Call.FORCE, Errno.EIO);
 * </pre>
 *
 * <p>Owned by: one thread.
 */
public final class FaultShim {
    /** Calls of the C library. */
    public enum Call {
        /** {@code open} with {@code O_CREAT}, {@code mkdir}. */
        CREATE,
        /** {@code open} without {@code O_CREAT}, of directories too. */
        OPEN,
        WRITE,
        READ,
        TRUNCATE,
        /** {@code fsync} and {@code fdatasync} of a file. */
        FORCE,
        SYNC_DIRECTORY,
        RENAME,
        DELETE,
        LIST,
        /** {@code statvfs}. */
        USABLE
    }

    /** Linux's error numbers. */
    public enum Errno {
        EIO(5),
        EACCES(13),
        ENFILE(23),
        EMFILE(24),
        ENOSPC(28),
        EROFS(30),
        EDQUOT(122);

        private final int number;

        Errno(int number) {
            this.number = number;
        }
    }

    private static final String SOURCE = "fault_shim.c";
    private static final int CONTROL_BYTES = 4096;
    private static final int STRUCK_AT = 8;
    private static final int ORDERS_AT = 64;
    private static final String ANY = "*";

    private final Path library;
    private final Path control;
    private final Path below;
    private final List<String> orders = new ArrayList<>();
    private long generation;

    private FaultShim(Path library, Path control, Path below) {
        this.library = library;
        this.control = control;
        this.below = below;
    }

    /** Skips the test if the library can't be compiled and preloaded; with CI=true the test fails instead. */
    public static void require() {
        Tools.require("gcc");
    }

    /**
     * @param scratch directory of library and control file; not below {@code below}
     * @param below an existing directory: only calls for it and its content are affected
     */
    public static FaultShim compile(Path scratch, Path below) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory(scratch, "shim").toRealPath();
        Path library = PreloadedLibrary.compile(FaultShim.class, SOURCE, folder);
        Path control = Files.write(folder.resolve("control"), new byte[CONTROL_BYTES]);
        return new FaultShim(library, control, below.toRealPath());
    }

    /** For a process that was started with the {@link #environment()} of a shim: it sets the faults itself. */
    public static FaultShim ofThisProcess() {
        return new FaultShim(
                Path.of(System.getenv("LD_PRELOAD")),
                Path.of(System.getenv("RIVULET_FAULTS")),
                Path.of(System.getenv("RIVULET_FAULTS_BELOW")));
    }

    /** The environment that the process needs. */
    public Map<String, String> environment() {
        return Map.of(
                "LD_PRELOAD", library.toString(),
                "RIVULET_FAULTS", control.toString(),
                "RIVULET_FAULTS_BELOW", below.toString());
    }

    /** All such calls fail from now on. */
    public void fail(Call call, Errno errno) throws IOException {
        fail(call, errno, ANY);
    }

    /** All such calls on paths that contain this text fail from now on. */
    public void fail(Call call, Errno errno, String partOfPath) throws IOException {
        order(call, errno, 0, -1, partOfPath);
    }

    /** Only the n-th such call from now on fails; 1 is the next. */
    public void failNth(Call call, Errno errno, int n) throws IOException {
        order(call, errno, n - 1, 1, ANY);
    }

    /** The disk writes no faster than this from now on. */
    public void slow(long bytesPerSecond) throws IOException {
        orders.add("slow " + bytesPerSecond);
        publish();
    }

    /** Each such call takes so much longer from now on. One kind of call at a time. */
    public void delay(Call call, int millis) throws IOException {
        orders.add("wait " + call + " " + millis);
        publish();
    }

    /** Nothing fails or waits from now on. */
    public void heal() throws IOException {
        orders.clear();
        publish();
    }

    /** How many calls have failed by a fault so far. */
    public long struck() throws IOException {
        ByteBuffer count = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
        try (FileChannel channel = FileChannel.open(control, StandardOpenOption.READ)) {
            channel.read(count, STRUCK_AT);
        }
        return count.getLong(0);
    }

    private void order(Call call, Errno errno, int skip, int count, String partOfPath) throws IOException {
        orders.add("fail " + call + " " + errno.number + " " + skip + " " + count + " " + partOfPath);
        publish();
    }

    /**
     * Writes the generation last: a process that reads it also reads the faults. Counters of earlier faults start
     * again.
     */
    private void publish() throws IOException {
        byte[] text = (String.join("\n", orders) + "\n").getBytes(StandardCharsets.UTF_8);
        ByteBuffer room =
                ByteBuffer.allocate(CONTROL_BYTES - ORDERS_AT).put(text).clear();
        ByteBuffer next = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
        next.putLong(0, ++generation);
        try (FileChannel channel = FileChannel.open(control, StandardOpenOption.WRITE)) {
            channel.write(room, ORDERS_AT);
            channel.write(next, 0);
        }
    }
}
