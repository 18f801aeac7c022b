package io.rivulet.store.log.local;

import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.io.DirectIoRefusedException;
import io.rivulet.store.io.Disk;
import io.rivulet.store.io.Disk.IoMode;
import io.rivulet.store.io.StartRefusedException;
import io.rivulet.store.log.CommitLog;
import io.rivulet.store.log.LogConfig;
import io.rivulet.store.log.LogLocation;
import io.rivulet.store.log.LogService;
import io.rivulet.store.thread.Workers;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A log in a folder of the store's directory. */
public final class LocalLogLocation implements LogLocation {
    private static final Logger LOG = LoggerFactory.getLogger(LocalLogLocation.class);

    /** In the store's directory. */
    public static final String FOLDER = "log";

    private final Disk root;
    private final LocalLogConfig config;

    /** @param root the store's directory */
    public LocalLogLocation(Disk root, LocalLogConfig config) {
        this.root = root;
        this.config = config;
    }

    @Override
    public boolean exists() throws IOException {
        if (root.exists(LogService.FOLDER)) {
            throw new IOException("the log of " + root.describe()
                    + " is on other machines: start it with the same rivulet.cluster as before");
        }
        if (!root.exists(FOLDER)) {
            return false;
        }
        Disk folder = root.directory(FOLDER);
        if (folder.exists(LogState.NAME)) {
            return true;
        }
        if (folder.list().stream().anyMatch(SegmentLayout::isSegment)) {
            throw new StartRefusedException(FOLDER + "/" + LogState.NAME + " is missing in " + root.describe()
                    + ", yet there are segments of its log");
        }
        return false;
    }

    /** On a file system without direct I/O (tmpfs, some overlays) the log is written through the page cache. */
    @Override
    public CommitLog open(LogConfig log, Runnable wakeUp, Workers workers, FailureLatch failures) throws IOException {
        Disk folder = root.directory(FOLDER);
        LocalLogConfig wanted = config.withLog(log);
        try {
            return LocalCommitLog.openUnchanged(folder, wanted, wakeUp, workers, failures);
        } catch (DirectIoRefusedException e) {
            LOG.info("The log is written through the page cache: {}", e.getMessage());
            return LocalCommitLog.openUnchanged(folder, wanted.withIoMode(IoMode.BUFFERED), wakeUp, workers, failures);
        }
    }
}
