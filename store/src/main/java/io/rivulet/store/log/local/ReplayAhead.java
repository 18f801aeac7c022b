package io.rivulet.store.log.local;

import io.rivulet.store.thread.Workers;
import io.rivulet.store.thread.Workers.Worker;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads ahead of a replay on a separate thread, past the page cache, into a ring of windows. A replay needs each byte
 * once, so the kernel would allocate and fill pages that nobody uses again: that was a quarter of a start. What the
 * opening has read a moment ago is in the page cache, and comes from there.
 *
 * <p>A read elsewhere starts the ring again from there. After a failure there are no more windows: the replay reads the
 * segments itself, and says what is wrong with them.
 *
 * <p>Guarded by itself. The worker fills one window at a time; it is not in the ring until it is full. The replay's
 * thread copies from the first window in the ring.
 */
final class ReplayAhead implements LogGroupWalker.Reads, AutoCloseable {
    static final int WINDOW_BYTES = 1 << 20;
    static final int WINDOWS = 4;
    private static final long WORTHWHILE_BYTES = 32 << 20;

    private final List<Segment> row;
    private final long untilLsn;
    private final long cachedFromLsn;
    private final int alignmentBytes;
    private final List<Window> windows;
    private final Worker worker;
    /** How many windows were filled and used; those between are in the ring. */
    private long filled;

    private long used;
    /** Where the next window starts. */
    private long nextLsn;

    private boolean ended;

    /**
     * @param row without gaps; the caller retains it until this is closed
     * @param cachedFromLsn from here on the page cache has the log
     */
    ReplayAhead(List<Segment> row, long fromLsn, long untilLsn, long cachedFromLsn, Workers workers) {
        this.row = row;
        this.untilLsn = untilLsn;
        this.cachedFromLsn = cachedFromLsn;
        this.alignmentBytes = row.stream()
                .mapToInt(segment -> segment.file().alignmentBytes())
                .max()
                .orElse(1);
        ByteBuffer memory = ByteBuffer.allocateDirect(WINDOWS * WINDOW_BYTES + alignmentBytes - 1)
                .alignedSlice(alignmentBytes);
        this.windows = IntStream.range(0, WINDOWS)
                .mapToObj(i -> new Window(memory.slice(i * WINDOW_BYTES, WINDOW_BYTES)))
                .toList();
        this.nextLsn = aligned(fromLsn);
        this.worker = workers.start("replay-ahead", this::fill);
    }

    /** Bytes of one segment: all up to the limit of the buffer. */
    private static final class Window {
        private final ByteBuffer bytes;
        private long startLsn;

        Window(ByteBuffer bytes) {
            this.bytes = bytes;
        }

        boolean holds(long lsn) {
            return startLsn <= lsn && lsn < endLsn();
        }

        long endLsn() {
            return startLsn + bytes.limit();
        }

        void copy(long lsn, ByteBuffer target) {
            int from = (int) (lsn - startLsn);
            int length = Math.min(target.remaining(), bytes.limit() - from);
            target.put(target.position(), bytes, from, length).position(target.position() + length);
        }
    }

    /** Whether the replay is long enough for a separate thread. */
    static boolean isWorthwhile(long logBytes) {
        return logBytes > WORTHWHILE_BYTES;
    }

    // ---- the replay's thread ----

    @Override
    public int read(Segment segment, long lsn, ByteBuffer target) throws IOException {
        int start = target.position();
        int length = (int) Math.min(target.remaining(), segment.limitLsn() - lsn);
        int limit = target.limit();
        target.limit(start + length);
        try {
            long at = lsn;
            Window window;
            while (target.hasRemaining() && (window = await(at)) != null) {
                window.copy(at, target);
                at = lsn + target.position() - start;
            }
            if (target.hasRemaining()) {
                segment.read(at, target);
            }
        } finally {
            target.limit(limit);
        }
        return target.position() - start;
    }

    /** Waits for the window with this place; those before it are free again. Null if there will be none. */
    private synchronized @Nullable Window await(long lsn) {
        boolean interrupted = false;
        Window found = null;
        while (found == null && lsn < untilLsn && !ended) {
            Window first = used < filled ? window(used) : null;
            long ringLsn = first != null ? first.startLsn : nextLsn;
            if (first != null && first.holds(lsn)) {
                found = first;
            } else if (lsn < ringLsn || lsn >= ringLsn + (long) WINDOWS * WINDOW_BYTES) {
                used = filled;
                nextLsn = aligned(lsn);
            } else if (first != null) {
                used++;
                worker.signal();
            } else {
                worker.signal();
                interrupted |= awaitFilled();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return found;
    }

    /** True if the thread was interrupted. */
    private boolean awaitFilled() {
        try {
            while (used == filled && !ended) {
                wait();
            }
            return false;
        } catch (InterruptedException e) {
            return true;
        }
    }

    private Window window(long number) {
        return windows.get((int) (number % WINDOWS));
    }

    private long aligned(long lsn) {
        Segment segment = row.get(Segment.indexOf(row, lsn));
        return lsn - segment.address(lsn) % alignmentBytes;
    }

    // ---- the worker ----

    private void fill() {
        boolean done = false;
        try {
            Window window;
            while ((window = begin()) != null) {
                fill(window);
                filled(window);
            }
            done = true;
        } catch (IOException e) {
            // The replay reads these bytes itself, and has the error.
        } finally {
            if (!done) {
                end();
            }
        }
    }

    private synchronized @Nullable Window begin() {
        if (ended || filled - used == WINDOWS || nextLsn >= untilLsn) {
            return null;
        }
        Window window = window(filled);
        window.startLsn = nextLsn;
        return window;
    }

    private void fill(Window window) throws IOException {
        long lsn = window.startLsn;
        Segment segment = row.get(Segment.indexOf(row, lsn));
        int length = (int) Math.min(WINDOW_BYTES, segment.limitLsn() - lsn);
        ByteBuffer bytes = window.bytes.clear().limit(length);
        int count = lsn >= cachedFromLsn ? segment.read(lsn, bytes) : segment.readPast(lsn, bytes);
        if (count < length) {
            throw new EOFException(segment.name() + " is shorter than it was");
        }
    }

    /** The window is in the ring, unless the ring was started again elsewhere meanwhile. */
    private synchronized void filled(Window window) {
        if (window.startLsn == nextLsn) {
            filled++;
            nextLsn = window.endLsn();
            notifyAll();
        }
    }

    private synchronized void end() {
        ended = true;
        notifyAll();
    }

    @Override
    public void close() {
        end();
        worker.close();
    }
}
