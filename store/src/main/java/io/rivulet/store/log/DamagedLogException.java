package io.rivulet.store.log;

import java.io.IOException;

/** Durable data is missing or altered. Nothing was changed on the disk. */
public final class DamagedLogException extends IOException {
    private static final long serialVersionUID = 1L;

    private final String file;
    private final long address;
    private final String what;

    DamagedLogException(String file, long address, String what) {
        super(file + ", byte " + address + ": " + what
                + ". Nothing was changed. `bin/rivulet inspect DIRECTORY` says what is whole, and"
                + " `bin/rivulet inspect --repair DIRECTORY` saves what can be saved; or restore the directory from a"
                + " copy");
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

    /** What is wrong, without the place. */
    public String what() {
        return what;
    }
}
