package io.rivulet.store.block;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Where the merge gets payloads that block files only refer to. Called by the background thread; may wait for the disk. */
@FunctionalInterface
public interface LogPayloads {
    /** Puts {@code lengthBytes} of a group's body into {@code target}, whose position moves by as much. */
    void read(long lsn, int groupOffset, int lengthBytes, ByteBuffer target) throws IOException;
}
