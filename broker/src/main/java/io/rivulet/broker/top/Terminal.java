package io.rivulet.broker.top;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The terminal of this process: shows a screen again and again, reads single keys, and is as before at the end, also
 * when a signal ends the process. It uses the program stty, and works without it, but then reads no keys.
 *
 * <p>Owned by: the main thread. {@link #close} may be called by any.
 */
public final class Terminal implements AutoCloseable {
    private static final Path DEVICE = Path.of("/dev/tty");
    private static final String HIDE_CURSOR = "\u001b[?25l";
    private static final String SHOW_CURSOR = "\u001b[?25h";
    private static final String CLEAR = "\u001b[2J";
    private static final String HOME = "\u001b[H";
    private static final String CLEAR_LINE = "\u001b[K";
    private static final String CLEAR_BELOW = "\u001b[J";
    /** Long enough for a machine with much to do: without an answer, no key is read. In the background, stty stops. */
    private static final long STTY_SECONDS = 15;

    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final PrintWriter out;
    /** What stty needs to restore the terminal; null if keys can't be read. */
    private final @Nullable String settings;

    private final @Nullable FileInputStream keys;
    private final AtomicBoolean closed = new AtomicBoolean();
    /** What stty said last. An interrupt ends a stty that is just being asked. */
    private @Nullable String sizeBefore;

    private final Thread atEnd = new Thread(this::restore, "terminal");

    Terminal(PrintWriter out) {
        this.out = out;
        String before = stty("-g");
        this.settings = before != null && before.matches("[0-9a-f:]+") ? before : null;
        this.keys = settings == null ? null : device();
        Runtime.getRuntime().addShutdownHook(atEnd);
        if (keys != null) {
            stty("-icanon", "-echo", "min", "1");
        }
        print(HIDE_CURSOR + CLEAR);
    }

    private static @Nullable FileInputStream device() {
        try {
            return new FileInputStream(DEVICE.toFile());
        } catch (IOException e) {
            return null;
        }
    }

    /** Rows and columns. Immutable. */
    record Size(int rows, int columns) {
        private static final Size DEFAULT = new Size(24, 80);

        /** What the environment says, for each of both; otherwise what the terminal says. */
        static Size of(@Nullable String lines, @Nullable String columns, @Nullable String ofTerminal) {
            String[] both = ofTerminal == null ? new String[0] : ofTerminal.split(" ", -1);
            int rows = number(both.length == 2 ? both[0] : null, DEFAULT.rows);
            int wide = number(both.length == 2 ? both[1] : null, DEFAULT.columns);
            return new Size(number(lines, rows), number(columns, wide));
        }

        private static int number(@Nullable String text, int otherwise) {
            boolean valid = text != null && text.matches("[1-9][0-9]{0,3}");
            return valid ? Integer.parseInt(text) : otherwise;
        }
    }

    /** Whether standard output is a terminal that knows the control sequences. */
    static boolean isOutput() {
        return isAt(1) && !"dumb".equals(System.getenv("TERM"));
    }

    /**
     * Java knows only whether input and output both are a terminal.
     *
     * @param descriptor 1 for standard output, 2 for standard error
     */
    public static boolean isAt(int descriptor) {
        try {
            String target = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor))
                    .toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
        } catch (IOException | RuntimeException e) {
            return false;
        }
    }

    /** The size at this moment; if the terminal does not say, as before. */
    Size size() {
        String size = stty("size");
        sizeBefore = size == null ? sizeBefore : size;
        return Size.of(System.getenv("LINES"), System.getenv("COLUMNS"), sizeBefore);
    }

    /** Replaces what is shown. */
    void show(List<String> lines) {
        if (!closed.get()) {
            print(HOME + String.join(CLEAR_LINE + "\n", lines) + CLEAR_LINE + CLEAR_BELOW);
        }
    }

    /** Returns false when q was typed, or when the output is closed, and true after this time. */
    boolean await(long endNanos) throws InterruptedException {
        while (!out.checkError()) {
            if (isQuit()) {
                return false;
            }
            long leftNanos = endNanos - System.nanoTime();
            if (leftNanos <= 0) {
                return true;
            }
            TimeUnit.NANOSECONDS.sleep(Math.min(POLL_NANOS, leftNanos));
        }
        return false;
    }

    private boolean isQuit() {
        try {
            while (keys != null && keys.available() > 0) {
                int key = keys.read();
                if (key == 'q' || key == 'Q') {
                    return true;
                }
            }
            return false;
        } catch (IOException e) {
            // The terminal was closed.
            return true;
        }
    }

    @Override
    public void close() {
        restore();
        try {
            Runtime.getRuntime().removeShutdownHook(atEnd);
        } catch (IllegalStateException e) {
            // A signal ends the process, and the hook has run or runs.
        }
    }

    private void restore() {
        if (closed.compareAndSet(false, true)) {
            if (settings != null) {
                stty(settings);
            }
            print("\n" + SHOW_CURSOR);
        }
    }

    private synchronized void print(String text) {
        out.print(text);
        out.flush();
    }

    /** What stty prints about the terminal of this process; null if it can't be asked. */
    private static @Nullable String stty(String... arguments) {
        if (!Files.exists(DEVICE)) {
            return null;
        }
        List<String> command = new ArrayList<>(List.of("stty"));
        command.addAll(List.of(arguments));
        try {
            Process process = new ProcessBuilder(command)
                    .redirectInput(DEVICE.toFile())
                    .redirectError(new File("/dev/null"))
                    .start();
            if (!process.waitFor(STTY_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return null;
            }
            String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
            return process.exitValue() == 0 ? printed : null;
        } catch (IOException e) {
            return null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }
}
