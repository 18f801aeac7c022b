package io.rivulet.store.log;

import io.rivulet.store.io.Disk;
import io.rivulet.store.io.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Mends a log that does not open, one damage after the other: what can be concluded from the rest is written again, files that are not
 * the log's are set aside. Where groups are gone, all behind them goes too, but only if that was asked for.
 *
 * <p>Owned by: one repair.
 */
public final class LogSalvage {
    /** Where files go, before they are replaced. */
    public interface Keeper {
        void move(String name) throws IOException;

        void copy(String name) throws IOException;
    }

    /** Is told what becomes of the log. */
    public interface Notes {
        /** Nothing is lost by it. */
        void done(String what);

        void lost(String what);
    }

    private static final int ZERO_BYTES = 1 << 20;

    private final Disk disk;
    private final Keeper keeper;
    private final Notes notes;
    private final boolean cuts;

    /** @param cuts whether the log may be cut off where groups are gone */
    public LogSalvage(Disk disk, Keeper keeper, boolean cuts, Notes notes) {
        this.disk = disk;
        this.keeper = keeper;
        this.cuts = cuts;
        this.notes = notes;
    }

    /** Does something about a damage that an opening has met. False when there is nothing to be done, and nothing was changed. */
    public boolean mend(DamagedLogException damage) throws IOException {
        String file = damage.file();
        if (file.equals(LogState.NAME)) {
            return rebuildState();
        }
        LogState state = LogState.load(disk);
        if (!SegmentLayout.isSegment(file) || state == null) {
            return false;
        }
        SegmentLayout.Header written = writtenHeader(file);
        long baseLsn = SegmentLayout.baseLsn(file);
        if (written != null && written.storeId() != state.storeId() && !isSharedByASegment(state.storeId())) {
            return rebuildState();
        }
        if (written != null && (written.storeId() != state.storeId() || written.baseLsn() != baseLsn)) {
            keeper.move(file);
            notes.done("log/" + file + " is not a segment of this place in this log: set aside");
            return true;
        }
        if (written == null && sizeOf(file) <= SegmentLayout.HEADER_BYTES) {
            keeper.move(file);
            notes.lost("log/" + file + " is empty");
            return true;
        }
        if (written == null) {
            return rewriteHeader(file, new SegmentLayout.Header(state.storeId(), baseLsn, sizeOf(file)));
        }
        if (sizeOf(file) < written.segmentBytes()) {
            return extend(file, written.segmentBytes());
        }
        return cuts && cut(file, damage.address(), state);
    }

    /** Else the state is another log's, and not the segments. */
    private boolean isSharedByASegment(long storeId) throws IOException {
        for (String name : disk.list()) {
            SegmentLayout.Header header = SegmentLayout.isSegment(name) ? writtenHeader(name) : null;
            if (header != null && header.storeId() == storeId) {
                return true;
            }
        }
        return false;
    }

    /** What the state says stands in the segments too, but for how far the log was durable: that is found at the opening. */
    private boolean rebuildState() throws IOException {
        Facts facts = new Facts();
        if (disk.exists(LogState.NAME)) {
            keeper.move(LogState.NAME);
        }
        LogInspector.inspect(disk, facts);
        SegmentLayout.Header first = facts.first;
        if (first == null) {
            return false;
        }
        new LogState(first.storeId(), facts.epoch, first.baseLsn() + SegmentLayout.HEADER_BYTES, false).save(disk);
        notes.done("log/" + LogState.NAME + " was made again from the segments. Whether the log once went on behind its"
                + " last whole group can't be told any more");
        return true;
    }

    private final class Facts implements LogInspector.Visitor {
        private SegmentLayout.@Nullable Header first;
        private long epoch = 1;

        @Override
        public void state(long storeId, long ofEpoch, long durableLsn, boolean clean) {}

        @Override
        public void segment(String file, long baseLsn, long segmentBytes) {
            if (first == null) {
                try {
                    first = writtenHeader(file);
                } catch (IOException e) {
                    first = null; // the next one will do
                }
            }
        }

        @Override
        public void walkedFrom(long lsn) {}

        @Override
        public void group(String file, long address, LogGroupView group) {
            epoch = Math.max(epoch, group.epoch());
        }

        @Override
        public void problem(String file, long address, String what) {}

        @Override
        public void end(String file, long address, long lsn, String what) {}
    }

    /** The header as it was written, whatever the file's name and length; null when it is altered. */
    private SegmentLayout.@Nullable Header writtenHeader(String name) throws IOException {
        try (DiskFile file = disk.open(name)) {
            return SegmentLayout.written(file);
        }
    }

    private long sizeOf(String name) throws IOException {
        try (DiskFile file = disk.open(name)) {
            return file.sizeBytes();
        }
    }

    private boolean rewriteHeader(String name, SegmentLayout.Header header) throws IOException {
        if (header.segmentBytes() <= SegmentLayout.HEADER_BYTES) {
            return false;
        }
        keeper.copy(name);
        ByteBuffer bytes = ByteBuffer.allocateDirect(SegmentLayout.HEADER_BYTES);
        header.encode(bytes);
        try (DiskFile file = disk.open(name)) {
            file.write(0, bytes.limit(SegmentLayout.HEADER_BYTES).position(0));
            file.force();
        }
        notes.done("log/" + name + ": the header was written again");
        return true;
    }

    private boolean extend(String name, long bytes) throws IOException {
        try (DiskFile file = disk.open(name)) {
            file.extend(bytes);
            file.force();
        }
        notes.lost("log/" + name + " was cut short: what stood in its last part is gone, and is zeros now");
        return true;
    }

    /** From this byte on the log is given up: that segment's rest is cleared, and those behind it are set aside. */
    private boolean cut(String name, long address, LogState state) throws IOException {
        long cutLsn = SegmentLayout.baseLsn(name) + Math.max(address, SegmentLayout.HEADER_BYTES);
        boolean wholeSegmentGoes = address < SegmentLayout.HEADER_BYTES;
        for (String other : disk.list()) {
            boolean goes = SegmentLayout.isSegment(other)
                    && (other.compareTo(name) > 0 || (wholeSegmentGoes && other.equals(name)));
            if (goes) {
                keeper.move(other);
                notes.lost("log/" + other + " lies behind the damage");
            }
        }
        if (wholeSegmentGoes) {
            cutLsn = endOfRow();
        } else {
            keeper.copy(name);
            clear(name, address);
        }
        new LogState(state.storeId(), state.epoch(), Math.min(state.durableLsn(), cutLsn), false).save(disk);
        notes.lost("the log was cut at lsn " + Long.toHexString(cutLsn) + ", byte " + address + " of log/" + name
                + "; what lay behind is lost, but for what is in snapshots and block files");
        return true;
    }

    private long endOfRow() throws IOException {
        long end = SegmentLayout.HEADER_BYTES;
        for (String other : disk.list()) {
            if (SegmentLayout.isSegment(other)) {
                end = SegmentLayout.baseLsn(other) + sizeOf(other);
            }
        }
        return end;
    }

    private void clear(String name, long address) throws IOException {
        try (DiskFile file = disk.open(name)) {
            long end = file.sizeBytes();
            for (long at = address; at < end; at += ZERO_BYTES) {
                file.write(at, ByteBuffer.allocateDirect((int) Math.min(ZERO_BYTES, end - at)));
            }
            file.force();
        }
    }
}
