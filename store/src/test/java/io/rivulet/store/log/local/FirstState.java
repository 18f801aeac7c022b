package io.rivulet.store.log.local;

import io.rivulet.store.io.Disk;
import java.io.IOException;

/** The state of a new log. A simulation writes it itself, because a log gives itself a random id. */
public final class FirstState {
    private FirstState() {}

    /** @param directory of the log */
    public static void write(Disk directory, long storeId) throws IOException {
        new LogState(storeId, 0, SegmentLayout.HEADER_BYTES, false).save(directory);
    }
}
