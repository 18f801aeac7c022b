package io.rivulet.store.log;

import io.rivulet.store.io.StartRefusedException;
import java.io.IOException;

/** Durable data is missing or altered. Nothing was changed on the disk. */
public final class DamagedLogException extends IOException {
    private static final long serialVersionUID = 1L;

    private final String file;
    private final long address;
    private final String what;

    /** @param file what the damage is in: a file, or what another kind of log has instead */
    public DamagedLogException(String file, long address, String what) {
        super(file + ", byte " + address + ": " + what + StartRefusedException.ADVICE);
        this.file = file;
        this.address = address;
        this.what = what;
    }

    public String file() {
        return file;
    }

    /** The byte of the file at which the damage starts. */
    public long address() {
        return address;
    }

    /** What is damaged, without the place. */
    public String what() {
        return what;
    }
}
