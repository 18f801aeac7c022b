package io.rivulet.store.cache;

import java.io.IOException;
import java.nio.ByteBuffer;

/** An immutable file whose bytes may be cached. Thread-safe. */
public interface PageFile {
    /** From 1 to 2^39; never used for another file. */
    long fileNumber();

    long lengthBytes();

    /** Fills all of {@code target}, whose range lies in the file, or throws. An address is a byte's place in the file. */
    void read(long address, ByteBuffer target) throws IOException;
}
