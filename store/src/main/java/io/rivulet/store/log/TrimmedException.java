package io.rivulet.store.log;

import java.io.IOException;

/** The group asked for has been given up: what it held is elsewhere, or nowhere. */
public final class TrimmedException extends IOException {
    private static final long serialVersionUID = 1L;

    TrimmedException(long lsn, long firstLsn) {
        super("lsn " + Long.toHexString(lsn) + " has been trimmed; the log starts at " + Long.toHexString(firstLsn));
    }
}
