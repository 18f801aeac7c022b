package io.rivulet.store.simulation;

import io.rivulet.store.io.Disk;
import io.rivulet.store.io.DiskFile;
import io.rivulet.store.io.ForwardingDisk;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A faulty disk, with all its directories. */
public class LyingDisk extends ForwardingDisk {
    /** The faults of a disk; without overrides there are none. */
    public interface Lie {
        /** False: nothing is forced, without an error. */
        default boolean forces(String name) {
            return true;
        }

        /** False: the directory is not synced, without an error. */
        default boolean syncs(String directory) {
            return true;
        }

        /** False: the file is deleted instead. */
        default boolean renames(String to) {
            return true;
        }

        /** May change the bytes that were read. */
        default void read(DiskFile file, long address, ByteBuffer bytes) throws IOException {}

        /** Called when a force has failed; true to report success. */
        default boolean survivesFailedForce(DiskFile file) throws IOException {
            return false;
        }
    }

    private final Disk disk;
    private final String path;
    private final Lie lie;

    public LyingDisk(Disk disk, Lie lie) {
        this(disk, "", lie);
    }

    private LyingDisk(Disk disk, String path, Lie lie) {
        super(disk);
        this.disk = disk;
        this.path = path;
        this.lie = lie;
    }

    @Override
    public Disk directory(String name) throws IOException {
        return new LyingDisk(disk.directory(name), name, lie);
    }

    @Override
    public void syncDirectory() throws IOException {
        if (lie.syncs(path)) {
            super.syncDirectory();
        }
    }

    @Override
    public void rename(String from, String to) throws IOException {
        if (!exists(to) || lie.renames(to)) {
            super.rename(from, to);
        } else {
            delete(from);
        }
    }

    @Override
    public void renameDurably(String from, String to) throws IOException {
        rename(from, to);
        syncDirectory();
    }

    @Override
    protected DiskFile file(DiskFile file) {
        return new ForwardingFile(file) {
            @Override
            public void force() throws IOException {
                if (!lie.forces(name())) {
                    return;
                }
                try {
                    super.force();
                } catch (IOException e) {
                    if (!lie.survivesFailedForce(file)) {
                        throw e;
                    }
                }
            }

            @Override
            public int read(long address, ByteBuffer target) throws IOException {
                int from = target.position();
                int count = super.read(address, target);
                lie.read(file, address, target.slice(from, target.position() - from));
                return count;
            }
        };
    }
}
