package io.rivulet.store.log;

import java.io.IOException;

/** The requested group has been trimmed. Its content is in block files and snapshots, or deleted. */
public final class TrimmedException extends IOException {
    private static final long serialVersionUID = 1L;

    public TrimmedException(long lsn, long firstLsn) {
        super("lsn " + Long.toHexString(lsn) + " has been trimmed; the log starts at " + Long.toHexString(firstLsn));
    }
}
