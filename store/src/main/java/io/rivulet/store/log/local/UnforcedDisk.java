package io.rivulet.store.log.local;

import io.rivulet.store.Durability;
import io.rivulet.store.io.Disk;
import io.rivulet.store.io.DiskFile;
import io.rivulet.store.io.ForwardingDisk;
import java.io.IOException;

/** A disk that is never forced: {@link Durability#NONE}. Immutable. */
final class UnforcedDisk extends ForwardingDisk {
    UnforcedDisk(Disk disk) {
        super(disk);
    }

    @Override
    protected Disk below(Disk directory) {
        return new UnforcedDisk(directory);
    }

    @Override
    protected DiskFile file(DiskFile file) {
        return new ForwardingFile(file) {
            @Override
            public void force() {}
        };
    }

    @Override
    public void renameDurably(String from, String to) throws IOException {
        rename(from, to);
    }

    @Override
    public void syncDirectory() {}
}
