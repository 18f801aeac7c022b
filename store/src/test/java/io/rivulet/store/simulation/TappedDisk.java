package io.rivulet.store.simulation;

import io.rivulet.store.io.Disk;
import io.rivulet.store.io.DiskFile;
import io.rivulet.store.io.ForwardingDisk;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Another disk, with all its directories, that runs an action before and after each I/O. Not for reads of block files:
 * the page cache decides which of them happen, and its policy uses its own random numbers.
 */
public final class TappedDisk extends ForwardingDisk {
    private final Runnable tap;

    public TappedDisk(Disk disk, Runnable tap) {
        super(disk);
        this.tap = tap;
    }

    @Override
    protected Disk below(Disk directory) {
        return new TappedDisk(directory, tap);
    }

    @Override
    public void rename(String from, String to) throws IOException {
        tap.run();
        super.rename(from, to);
        tap.run();
    }

    @Override
    public void renameDurably(String from, String to) throws IOException {
        rename(from, to);
        syncDirectory();
    }

    @Override
    public void syncDirectory() throws IOException {
        tap.run();
        super.syncDirectory();
        tap.run();
    }

    @Override
    protected DiskFile file(DiskFile file) {
        return new ForwardingFile(file) {
            @Override
            public void write(long address, ByteBuffer source) throws IOException {
                tap.run();
                super.write(address, source);
                tap.run();
            }

            @Override
            public int read(long address, ByteBuffer target) throws IOException {
                int count = super.read(address, target);
                if (name().endsWith(".segment")) {
                    tap.run();
                }
                return count;
            }

            @Override
            public void force() throws IOException {
                tap.run();
                super.force();
                tap.run();
            }
        };
    }
}
