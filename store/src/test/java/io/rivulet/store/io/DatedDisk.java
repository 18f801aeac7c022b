package io.rivulet.store.io;

/** All files were last changed at this time. Immutable. */
public final class DatedDisk extends ForwardingDisk {
    private final long millis;

    public DatedDisk(Disk disk, long millis) {
        super(disk);
        this.millis = millis;
    }

    @Override
    protected Disk below(Disk directory) {
        return new DatedDisk(directory, millis);
    }

    @Override
    protected DiskFile file(DiskFile file) {
        return new ForwardingFile(file) {
            @Override
            public long modifiedMillis() {
                return millis;
            }
        };
    }
}
