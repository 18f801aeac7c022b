package io.rivulet.store.simulation;

import io.rivulet.store.io.Disk;
import io.rivulet.store.io.DiskFile;
import io.rivulet.store.io.ForwardingDisk;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A disk that lies, in all its directories. */
public class LyingDisk extends ForwardingDisk {
    /** What a disk may say that is not so; by itself it is honest. */
    public interface Lie {
        /** False: nothing is forced, and nobody is told. */
        default boolean forces(String name) {
            return true;
        }

        /** False: the directory is not synced, and nobody is told. */
        default boolean syncs(String directory) {
            return true;
        }

        /** False: the file is deleted instead. */
        default boolean renames(String to) {
            return true;
        }

        /** May change what has been read. */
        default void read(DiskFile file, long address, ByteBuffer bytes) throws IOException {}

        /** Called when a force has failed; true to pretend that it has not. */
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
