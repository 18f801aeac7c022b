package io.rivulet.store.io;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** The content and the changes of a file. Guarded by its {@link CrashTrace}. */
final class CrashInode {
    /** A write, or a change of size if {@code bytes} is empty; {@code moment} is its time. */
    private static final class Change {
        private final int moment;
        private final int address;
        private final byte[] bytes;
        private final int sizeAfter;

        Change(int moment, int address, byte[] bytes, int sizeAfter) {
            this.moment = moment;
            this.address = address;
            this.bytes = bytes;
            this.sizeAfter = sizeAfter;
        }
    }

    private record Force(int moment, int changes) {}

    private final byte[] initial;
    private final List<Change> changes = new ArrayList<>();
    private final List<Force> forces = new ArrayList<>();
    private byte[] bytes;
    private int size;

    CrashInode(byte[] initial) {
        this.initial = initial;
        this.bytes = initial.clone();
        this.size = initial.length;
    }

    int size() {
        return size;
    }

    byte[] content() {
        return Arrays.copyOf(bytes, size);
    }

    void write(int moment, int address, byte[] written) {
        int sizeAfter = Math.max(size, address + written.length);
        apply(new Change(moment, address, written, sizeAfter));
    }

    void resize(int moment, int newSize) {
        apply(new Change(moment, 0, new byte[0], newSize));
    }

    private void apply(Change change) {
        changes.add(change);
        bytes = resized(bytes, size, change.sizeAfter);
        size = change.sizeAfter;
        System.arraycopy(change.bytes, 0, bytes, change.address, change.bytes.length);
    }

    /** Allocates more than needed, so that a file that grows by small writes is not copied for each. */
    private static byte[] resized(byte[] old, int oldSize, int newSize) {
        if (newSize <= old.length) {
            if (newSize < oldSize) {
                Arrays.fill(old, newSize, oldSize, (byte) 0);
            }
            return old;
        }
        return Arrays.copyOf(old, Math.max(newSize, Math.min(2 * old.length, newSize + (1 << 20))));
    }

    void force(int moment) {
        forces.add(new Force(moment, changes.size()));
    }

    int read(long address, ByteBuffer target) {
        int count = (int) Math.max(0, Math.min(target.remaining(), size - address));
        target.put(bytes, (int) Math.min(address, size), count);
        return count;
    }

    void flipBit(int address, int bit) {
        bytes[address] ^= (byte) (1 << bit);
    }

    void alter(int address, byte[] altered) {
        System.arraycopy(altered, 0, bytes, address, altered.length);
    }

    /** What a cut may leave of it. */
    byte[] cutAt(int moment, SplittableRandom random, CrashTrace.Mercy mercy) {
        int forced = 0;
        for (Force force : forces) {
            forced = force.moment() < moment ? force.changes() : forced;
        }
        int done = forced;
        while (done < changes.size() && changes.get(done).moment < moment) {
            done++;
        }
        byte[] found = initial.clone();
        for (Change change : changes.subList(0, forced)) {
            found = reaching(found, change, change.sizeAfter);
            System.arraycopy(change.bytes, 0, found, change.address, change.bytes.length);
        }
        return unforced(found, changes.subList(forced, done), random, mercy);
    }

    private static byte[] unforced(
            byte[] forcedBytes, List<Change> unforced, SplittableRandom random, CrashTrace.Mercy mercy) {
        byte[] found = forcedBytes;
        if (unforced.isEmpty()) {
            return found;
        }
        int[] keptOfSector = new int[sectors(largest(found, unforced))];
        for (int i = 0; i < keptOfSector.length; i++) {
            keptOfSector[i] = random.nextInt(unforced.size() + 1);
        }
        for (int i = 0; i < unforced.size(); i++) {
            Change change = unforced.get(i);
            boolean newest = i == unforced.size() - 1;
            if (change.bytes.length == 0) {
                boolean kept = mercy.keeps(newest, random.nextBoolean());
                found = kept ? Arrays.copyOf(found, change.sizeAfter) : found;
                continue;
            }
            int from = change.address;
            int end = from + change.bytes.length;
            while (from < end) {
                int sector = from / CrashDisk.SECTOR_BYTES;
                int to = Math.min(end, (sector + 1) * CrashDisk.SECTOR_BYTES);
                if (mercy.keeps(newest, i < keptOfSector[sector])) {
                    found = found.length < to ? Arrays.copyOf(found, to) : found;
                    System.arraycopy(change.bytes, from - change.address, found, from, to - from);
                }
                from = to;
            }
        }
        return found;
    }

    private static byte[] reaching(byte[] found, Change change, int sizeAfter) {
        boolean resize = change.bytes.length == 0;
        return resize || found.length < sizeAfter ? Arrays.copyOf(found, sizeAfter) : found;
    }

    private static int largest(byte[] found, List<Change> changes) {
        int largest = found.length;
        for (Change change : changes) {
            largest = Math.max(largest, Math.max(change.sizeAfter, change.address + change.bytes.length));
        }
        return largest;
    }

    private static int sectors(int sizeBytes) {
        return (sizeBytes + CrashDisk.SECTOR_BYTES - 1) / CrashDisk.SECTOR_BYTES;
    }
}
