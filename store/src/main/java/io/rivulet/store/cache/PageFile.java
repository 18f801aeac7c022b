package io.rivulet.store.cache;

import java.io.IOException;
import java.nio.ByteBuffer;

/** An immutable file whose bytes may be cached. Thread-safe. */
public interface PageFile {
    /** From 1 to 2^39; never reused for another file. */
    long fileNumber();

    long lengthBytes();

    /**
     * Fills all of {@code target} from a range within the file, or throws. An address is the place of a byte in the
     * file.
     */
    void read(long address, ByteBuffer target) throws IOException;
}
