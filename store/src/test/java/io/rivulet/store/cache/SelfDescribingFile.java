package io.rivulet.store.cache;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A file in which each eight bytes contain their own place. So a page in the wrong place, or one that was freed too
 * early, is detected.
 */
final class SelfDescribingFile implements PageFile {
    private final long fileNumber;
    private final long lengthBytes;
    private final AtomicLong reads = new AtomicLong();
    private volatile long badFrom = Long.MAX_VALUE;
    private volatile @Nullable Runnable beforeRead;

    SelfDescribingFile(long fileNumber, long lengthBytes) {
        this.fileNumber = fileNumber;
        this.lengthBytes = lengthBytes;
    }

    static long word(long fileNumber, long address) {
        return fileNumber << 40 | address;
    }

    /** Reads that touch this address or a later one fail. */
    SelfDescribingFile badFrom(long address) {
        badFrom = address;
        return this;
    }

    /** Runs in the middle of each read. */
    SelfDescribingFile beforeRead(Runnable action) {
        beforeRead = action;
        return this;
    }

    long reads() {
        return reads.get();
    }

    @Override
    public long fileNumber() {
        return fileNumber;
    }

    @Override
    public long lengthBytes() {
        return lengthBytes;
    }

    @Override
    public void read(long address, ByteBuffer target) throws IOException {
        reads.incrementAndGet();
        Runnable action = beforeRead;
        if (action != null) {
            action.run();
        }
        if (address + target.remaining() > badFrom) {
            throw new IOException("bad sector on order");
        }
        for (long at = address; target.remaining() >= Long.BYTES; at += Long.BYTES) {
            target.putLong(word(fileNumber, at));
        }
        while (target.hasRemaining()) {
            target.put((byte) 0);
        }
    }

    /** Throws unless the bytes are those of this place. Addresses are multiples of 8. */
    void requireBytes(FileBytes bytes, long address) {
        ByteBuffer copy = ByteBuffer.allocate(bytes.length());
        bytes.copyTo(0, bytes.length(), copy);
        copy.flip();
        for (long at = address; copy.remaining() >= Long.BYTES; at += Long.BYTES) {
            long word = copy.getLong();
            if (word != word(fileNumber, at)) {
                throw new AssertionError("at " + at + " of file " + fileNumber + " there is " + Long.toHexString(word));
            }
        }
    }
}
