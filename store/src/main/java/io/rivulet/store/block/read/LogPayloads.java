package io.rivulet.store.block.read;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Reads payloads from the log for the merge. Called by the background thread; may wait for the disk. */
@FunctionalInterface
public interface LogPayloads {
    /** Puts {@code lengthBytes} of a group's body into {@code target} and advances its position. */
    void read(long lsn, int groupOffset, int lengthBytes, ByteBuffer target) throws IOException;
}
