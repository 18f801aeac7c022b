package io.rivulet.store.io;

import java.io.IOException;

/** The files of a data directory do not fit together. Nothing has been changed on the disk. */
public final class StartRefusedException extends IOException {
    private static final long serialVersionUID = 1L;

    /** @param what what is missing or wrong, and where */
    public StartRefusedException(String what, Throwable cause) {
        this(what);
        initCause(cause);
    }

    /** @param what what is missing or wrong, and where */
    public StartRefusedException(String what) {
        super(
                what + ". Nothing was changed. `bin/rivulet inspect DIRECTORY` says what is whole, and"
                        + " `bin/rivulet inspect --repair DIRECTORY` saves what can be saved; or restore the directory from a copy");
    }
}
