package io.rivulet.store.sweep;

import io.rivulet.store.block.BlockFileFooter;
import io.rivulet.store.block.BlockFileWriter;
import java.io.IOException;

/** Where the sweep's files go: its seam to block files and manifest. Called on the sweeper's thread. */
public interface SweepTarget {
    /** Begins a file for the cycle, which will answer for queues from this id on. */
    BlockFileWriter begin(long cycle, int firstQueueId) throws IOException;

    /**
     * The file is finished and durable: enters it in the manifest and shows it to readers.
     *
     * @throws io.rivulet.store.io.ShortageException when the manifest is as before
     * @throws IOException when nobody knows whether the manifest on the disk names the file
     */
    void finished(BlockFileFooter footer) throws IOException;
}
