package io.rivulet.store.io;

import java.io.IOException;

/** The file system does not support direct I/O. */
public final class DirectIoRefusedException extends IOException {
    private static final long serialVersionUID = 1L;

    public DirectIoRefusedException(String where, Throwable cause) {
        super(
                where + ": this file system refuses direct I/O; choose buffered I/O for the log, which is the default",
                cause);
    }
}
