package io.rivulet.store.sweep;

import io.rivulet.store.block.format.BlockFileFooter;
import io.rivulet.store.block.write.BlockFileWriter;
import java.io.IOException;

/** Receives the files of the sweep. Called on the thread of the sweeper. */
public interface SweepTarget {
    /** Begins a file of the cycle for queues from this id on. */
    BlockFileWriter begin(long cycle, int firstQueueId) throws IOException;

    /**
     * Adds a file that is complete and durable to the manifest, then makes it visible to readers.
     *
     * @throws io.rivulet.store.io.ShortageException if the manifest is unchanged
     * @throws IOException if it is unknown whether the manifest on the disk names the file
     */
    void finished(BlockFileFooter footer) throws IOException;
}
