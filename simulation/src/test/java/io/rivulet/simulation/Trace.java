package io.rivulet.simulation;

import io.rivulet.store.io.Disk;
import io.rivulet.store.io.DiskFile;
import io.rivulet.store.io.ForwardingDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/** A hash of all that happens: changes of the disk, and the bytes of messages in both directions. */
final class Trace {
    private static final long PRIME = 0x100000001B3L;

    private long hash = 0xCBF29CE484222325L;
    private long events;
    private final Map<String, Long> counts = new TreeMap<>();

    void add(String what, long number) {
        add(what.getBytes(StandardCharsets.UTF_8));
        mix(number);
    }

    /** How often something has happened, for those who judge whether enough does. */
    void count(String what, long times) {
        counts.merge(what, times, Long::sum);
    }

    Map<String, Long> counts() {
        return counts;
    }

    void add(byte[] bytes) {
        for (byte b : bytes) {
            mix(b);
        }
        events++;
    }

    private void add(ByteBuffer bytes) {
        for (int at = bytes.position(); at < bytes.limit(); at++) {
            mix(bytes.get(at));
        }
    }

    private void mix(long value) {
        hash = (hash ^ value) * PRIME;
        hash ^= hash >>> 29;
    }

    long hash() {
        return hash;
    }

    long events() {
        return events;
    }

    /** The disk, whose changes are added. */
    Disk of(Disk disk) {
        return new TracedDisk(disk);
    }

    private final class TracedDisk extends ForwardingDisk {
        TracedDisk(Disk disk) {
            super(disk);
        }

        @Override
        protected Disk below(Disk directory) {
            return new TracedDisk(directory);
        }

        @Override
        public void rename(String from, String to) throws IOException {
            add("rename " + from + " " + to, 0);
            super.rename(from, to);
        }

        @Override
        public void delete(String name) throws IOException {
            add("delete " + name, 0);
            super.delete(name);
        }

        @Override
        public void syncDirectory() throws IOException {
            add("sync", 0);
            super.syncDirectory();
        }

        @Override
        protected DiskFile file(DiskFile file) {
            return new ForwardingFile(file) {
                @Override
                public void write(long address, ByteBuffer source) throws IOException {
                    add("write " + name(), address);
                    add(source.duplicate());
                    super.write(address, source);
                }

                @Override
                public void force() throws IOException {
                    add("force " + name(), 0);
                    super.force();
                }
            };
        }
    }
}
