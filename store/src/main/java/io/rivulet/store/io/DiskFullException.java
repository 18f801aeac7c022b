package io.rivulet.store.io;

import java.io.IOException;

/** There is no space left for a write. The file may hold a part of it. Succeeds by itself once there is space again. */
public final class DiskFullException extends IOException {
    private static final long serialVersionUID = 1L;

    public DiskFullException(String message) {
        super(message);
    }

    public DiskFullException(String message, Throwable cause) {
        super(message, cause);
    }
}
