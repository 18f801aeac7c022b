package io.rivulet.store.io;

import java.io.IOException;

/** The files of a data directory do not match. Nothing has been changed on the disk. */
public final class StartRefusedException extends IOException {
    /** The end of each message about files that a start refuses. */
    public static final String ADVICE = ". Nothing was changed. `bin/rivulet inspect DIRECTORY` shows the damage, and"
            + " `bin/rivulet inspect --repair DIRECTORY` repairs it; or restore the directory from a copy";

    private static final long serialVersionUID = 1L;

    /** @param what which file is missing or wrong */
    public StartRefusedException(String what, Throwable cause) {
        this(what);
        initCause(cause);
    }

    /** @param what which file is missing or wrong */
    public StartRefusedException(String what) {
        super(what + ADVICE);
    }
}
