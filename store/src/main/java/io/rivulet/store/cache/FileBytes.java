package io.rivulet.store.cache;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * A range of a file in memory: pinned pages, or a copy if no page was free. Close it exactly once. Indexes count from
 * the start of the range.
 *
 * <p>Owned by: the thread that read it, until closed.
 */
public final class FileBytes implements AutoCloseable {
    private final List<ReadLease> leases;
    private final ByteBuffer[] parts;
    private final int length;
    private final Runnable onClose;
    private boolean closed;

    private FileBytes(List<ReadLease> leases, ByteBuffer[] parts, int length, Runnable onClose) {
        this.leases = leases;
        this.parts = parts;
        this.length = length;
        this.onClose = onClose;
    }

    /**
     * Takes ownership of the leases. The range begins at {@code from} in the first page and continues in the others.
     */
    static FileBytes ofPages(List<ReadLease> leases, int from, int length) {
        ByteBuffer[] parts = new ByteBuffer[leases.size()];
        int start = from;
        int rest = length;
        for (int i = 0; i < parts.length; i++) {
            ByteBuffer page = leases.get(i).bytes();
            int bytes = Math.min(rest, page.capacity() - start);
            parts[i] = page.slice(start, bytes);
            rest -= bytes;
            start = 0;
        }
        return new FileBytes(leases, parts, length, () -> {});
    }

    static FileBytes ofCopy(ByteBuffer copy, Runnable onClose) {
        return new FileBytes(List.of(), new ByteBuffer[] {copy}, copy.capacity(), onClose);
    }

    public int length() {
        return length;
    }

    /** Whether the bytes are in cached pages. */
    public boolean isCached() {
        return !leases.isEmpty();
    }

    /**
     * A buffer that has {@code bytes} of the range from {@code from} on side by side, at the returned buffer's
     * position: the page itself if they are in one page, else {@code scratch}, which must be large enough.
     */
    public ByteBuffer contiguous(int from, int bytes, ByteBuffer scratch) {
        int start = from;
        for (ByteBuffer part : parts) {
            if (start < part.capacity()) {
                if (bytes <= part.capacity() - start) {
                    return part.duplicate().position(start).limit(start + bytes);
                }
                break;
            }
            start -= part.capacity();
        }
        scratch.clear();
        copyTo(from, bytes, scratch);
        return scratch.flip();
    }

    /** Copies a part of the range and advances the target's position. */
    public void copyTo(int from, int bytes, ByteBuffer target) {
        requireOpen();
        int start = from;
        int rest = bytes;
        for (ByteBuffer part : parts) {
            int here = Math.min(rest, part.capacity() - start);
            if (here > 0) {
                target.put(part.slice(start, here));
                rest -= here;
                start = 0;
            } else {
                start -= part.capacity();
            }
            if (rest == 0) {
                return;
            }
        }
        throw new IndexOutOfBoundsException("[" + from + ", " + (from + bytes) + ") of " + length + " bytes");
    }

    /** CRC32C of everything from {@code from} to the end. */
    public int crcFrom(int from) {
        requireOpen();
        CRC32C crc = new CRC32C();
        int skip = from;
        for (ByteBuffer part : parts) {
            int here = Math.min(skip, part.capacity());
            crc.update(part.slice(here, part.capacity() - here));
            skip -= here;
        }
        return (int) crc.getValue();
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("the bytes are closed");
        }
    }

    @Override
    public void close() {
        if (closed) {
            throw new IllegalStateException("the bytes are closed twice");
        }
        closed = true;
        leases.forEach(ReadLease::close);
        onClose.run();
    }
}
