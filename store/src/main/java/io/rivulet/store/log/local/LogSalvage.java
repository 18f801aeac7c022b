package io.rivulet.store.log.local;

import io.rivulet.store.io.Disk;
import io.rivulet.store.io.DiskFile;
import io.rivulet.store.log.DamagedLogException;
import io.rivulet.store.log.LogGroupView;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Repairs a log that does not open, one damage after the other. Writes again what follows from the rest of the log, and
 * sets aside files of other logs. If groups are lost, drops all groups after them, but only if the caller allows it.
 *
 * <p>Owned by: one repair.
 */
public final class LogSalvage {
    /** Keeps a copy of files before they are replaced. */
    public interface Keeper {
        void move(String name) throws IOException;

        void copy(String name) throws IOException;
    }

    /** Receives the results of the repair. */
    public interface Notes {
        /** Repaired without a loss. */
        void done(String what);

        void lost(String what);
    }

    private static final int ZERO_BYTES = 1 << 20;

    private final Disk disk;
    private final Keeper keeper;
    private final Notes notes;
    private final boolean cuts;
    private boolean isEndUnknown;

    /** @param cuts whether the log may be cut where groups are lost */
    public LogSalvage(Disk disk, Keeper keeper, boolean cuts, Notes notes) {
        this.disk = disk;
        this.keeper = keeper;
        this.cuts = cuts;
        this.notes = notes;
    }

    /** Repairs a damage that an opening has found. False if it can't be repaired; then nothing was changed. */
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
        if (written != null && written.storeId() != state.storeId()) {
            setAside(file, "is a segment of another log");
            return true;
        }
        if (written != null && written.baseLsn() != baseLsn) {
            putBack(file, SegmentLayout.fileName(written.baseLsn()), state);
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

    private void setAside(String file, String why) throws IOException {
        keeper.move(file);
        nameIsFree("log/" + file + " " + why + ": set aside", file);
    }

    /** If a segment with that name was durable, the opening misses it, unless it is not known how far the log was. */
    private void nameIsFree(String what, String name) {
        if (isEndUnknown) {
            notes.lost(what + ". If there was another segment " + name + ", it is lost");
        } else {
            notes.done(what);
        }
    }

    /** The segment has another name than it was written with. */
    private void putBack(String file, String place, LogState state) throws IOException {
        if (!disk.exists(place)) {
            disk.rename(file, place);
            disk.syncDirectory();
            nameIsFree("log/" + file + " is the segment " + place + ": renamed", file);
            return;
        }
        SegmentLayout.Header there = writtenHeader(place);
        boolean isOfThisLog = there != null && there.storeId() == state.storeId();
        if (there != null
                && isOfThisLog
                && SegmentLayout.fileName(there.baseLsn()).equals(place)) {
            setAside(file, "is a copy of " + place);
            return;
        }
        keeper.copy(file);
        if (isOfThisLog) {
            swap(file, place);
            notes.done("log/" + file + " is the segment " + place + ": the two have changed names");
        } else {
            keeper.move(place);
            disk.rename(file, place);
            disk.syncDirectory();
            nameIsFree("log/" + file + " is the segment " + place + ": renamed, the other one was set aside", file);
        }
    }

    /** Both have copies, if the process ends in between. */
    private void swap(String one, String other) throws IOException {
        String parked = one + ".parked";
        keeper.copy(other);
        disk.rename(other, parked);
        disk.rename(one, other);
        disk.rename(parked, one);
        disk.syncDirectory();
    }

    /** If not, the state belongs to another log, and the segments don't. */
    private boolean isSharedByASegment(long storeId) throws IOException {
        for (String name : disk.list()) {
            SegmentLayout.Header header = SegmentLayout.isSegment(name) ? writtenHeader(name) : null;
            if (header != null && header.storeId() == storeId) {
                return true;
            }
        }
        return false;
    }

    /** The segments have the same facts as the state, except how far the log was durable. The opening finds that. */
    private boolean rebuildState() throws IOException {
        Facts facts = new Facts();
        if (disk.exists(LogState.NAME)) {
            keeper.move(LogState.NAME);
        }
        isEndUnknown = true;
        LogInspector.inspect(disk, facts);
        SegmentLayout.Header first = facts.first;
        if (first == null) {
            return false;
        }
        new LogState(first.storeId(), facts.epoch, first.baseLsn() + SegmentLayout.HEADER_BYTES, false).save(disk);
        notes.done("log/" + LogState.NAME + " was rebuilt from the segments. It is unknown whether the log had more"
                + " groups after the last valid one");
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
                    first = null; // uses the next one
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

    /** The header as it was written, for any name and length of the file; null if it is altered. */
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
        notes.done("log/" + name + ": the header was rebuilt");
        return true;
    }

    private boolean extend(String name, long bytes) throws IOException {
        try (DiskFile file = disk.open(name)) {
            file.extend(bytes);
            file.force();
        }
        notes.lost("log/" + name + " was too short: its last part is lost and is zeros now");
        return true;
    }

    /** Drops the log from this byte on: clears the rest of this segment, and sets aside the segments after it. */
    private boolean cut(String name, long address, LogState state) throws IOException {
        long cutLsn = SegmentLayout.baseLsn(name) + Math.max(address, SegmentLayout.HEADER_BYTES);
        boolean wholeSegmentGoes = address < SegmentLayout.HEADER_BYTES;
        for (String other : disk.list()) {
            boolean goes = SegmentLayout.isSegment(other)
                    && (other.compareTo(name) > 0 || (wholeSegmentGoes && other.equals(name)));
            if (goes) {
                keeper.move(other);
                notes.lost("log/" + other + " comes after the damage");
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
                + "; everything after that is lost, except what is in snapshots and block files");
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
