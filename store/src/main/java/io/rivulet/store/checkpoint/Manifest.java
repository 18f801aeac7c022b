package io.rivulet.store.checkpoint;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The files of the store besides its log: everything before {@code replayLsn} is in these block files and snapshots.
 * Immutable.
 *
 * <pre>
 * format (4) | timestampBase (8) | laterMillis (8) | doubtMillis (8) | replayLsn (8) | cycle (8) | nextFileNumber (8)
 * | snapshotFileNumber (8) | files (4) | file number (8) ... | views (4) | view id (4), lsn (8) ...
 * </pre>
 *
 * <p>Crash policy: one checksummed snapshot of the log, replaced as a whole; after a crash it is the old one or the new
 * one.
 *
 * @param timestampBase stored timestamps are relative to it; fixed when the store is created
 * @param time of the last checkpoint: the only time that a start knows if there is nothing to replay
 * @param replayLsn groups from here on are replayed
 * @param cycle the number of ended sweep cycles plus one; part of the names of snapshots. Block files may have higher
 *     ones
 * @param snapshotFileNumber block files with this number or a greater one may be younger than the queue table's
 *     snapshot
 * @param files the numbers of the block files
 * @param viewLsns for each view with a snapshot, the lsn up to which the snapshot is complete
 */
public record Manifest(
        long timestampBase,
        Time time,
        long replayLsn,
        long cycle,
        long nextFileNumber,
        long snapshotFileNumber,
        List<Long> files,
        Map<Integer, Long> viewLsns) {
    static final int FORMAT = 2;

    /** The format without the time of the last checkpoint. */
    private static final int FORMAT_WITHOUT_TIME = 1;

    /**
     * A time of the store's clock.
     *
     * @param doubtMillis how much earlier the true time may have been
     */
    public record Time(long laterMillis, long doubtMillis) {
        public long earlierMillis() {
            return laterMillis - doubtMillis;
        }
    }

    public Manifest {
        files = List.copyOf(files);
        viewLsns = Map.copyOf(viewLsns);
    }

    /** The manifest of a new store. */
    static Manifest first(long timestampBase, long nowMillis, long firstLsn) {
        return new Manifest(timestampBase, new Time(nowMillis, 0), firstLsn, 1, 1, 1, List.of(), Map.of());
    }

    /** With a larger next number. */
    public Manifest withNextFileNumber(long number) {
        return new Manifest(timestampBase, time, replayLsn, cycle, number, snapshotFileNumber, files, viewLsns);
    }

    /** For a repair: with another start of the replay. */
    public Manifest withReplay(long newReplayLsn, Map<Integer, Long> newViewLsns) {
        return new Manifest(
                timestampBase, time, newReplayLsn, cycle, nextFileNumber, snapshotFileNumber, files, newViewLsns);
    }

    /** For a repair: as if the store never had a checkpoint, so that the whole log is replayed. */
    public Manifest replayingAll(long firstLsn) {
        return new Manifest(timestampBase, time, firstLsn, 1, nextFileNumber, 1, files, Map.of());
    }

    /** With a number taken for a new file. The number is used up even if the file is abandoned. */
    public Manifest withFileNumberTaken() {
        return new Manifest(
                timestampBase, time, replayLsn, cycle, nextFileNumber + 1, snapshotFileNumber, files, viewLsns);
    }

    public Manifest withFiles(Collection<Long> added, Collection<Long> removed) {
        List<Long> now = new ArrayList<>(files);
        now.removeAll(removed);
        now.addAll(added);
        return new Manifest(timestampBase, time, replayLsn, cycle, nextFileNumber, snapshotFileNumber, now, viewLsns);
    }

    /** After a whole sweep cycle, with the snapshots that were taken at its end. */
    public Manifest withCheckpoint(
            Time newTime, long newReplayLsn, long snapshotsFrom, Map<Integer, Long> newViewLsns) {
        return new Manifest(
                timestampBase, newTime, newReplayLsn, cycle + 1, nextFileNumber, snapshotsFrom, files, newViewLsns);
    }

    void writeTo(DataOutputStream out) throws IOException {
        out.writeInt(FORMAT);
        out.writeLong(timestampBase);
        out.writeLong(time.laterMillis);
        out.writeLong(time.doubtMillis);
        out.writeLong(replayLsn);
        out.writeLong(cycle);
        out.writeLong(nextFileNumber);
        out.writeLong(snapshotFileNumber);
        out.writeInt(files.size());
        for (long file : files) {
            out.writeLong(file);
        }
        out.writeInt(viewLsns.size());
        for (Map.Entry<Integer, Long> view : new TreeMap<>(viewLsns).entrySet()) {
            out.writeInt(view.getKey());
            out.writeLong(view.getValue());
        }
    }

    static Manifest readFrom(DataInputStream in) throws IOException {
        int format = in.readInt();
        if (format != FORMAT && format != FORMAT_WITHOUT_TIME) {
            throw new IOException("the manifest has format " + format + ", this version knows " + FORMAT_WITHOUT_TIME
                    + " and " + FORMAT);
        }
        long timestampBase = in.readLong();
        Time time = format == FORMAT_WITHOUT_TIME ? new Time(timestampBase, 0) : new Time(in.readLong(), in.readLong());
        long replayLsn = in.readLong();
        long cycle = in.readLong();
        long nextFileNumber = in.readLong();
        long snapshotFileNumber = in.readLong();
        List<Long> files = new ArrayList<>();
        for (int i = in.readInt(); i > 0; i--) {
            files.add(in.readLong());
        }
        Map<Integer, Long> viewLsns = new TreeMap<>();
        for (int i = in.readInt(); i > 0; i--) {
            viewLsns.put(in.readInt(), in.readLong());
        }
        return new Manifest(timestampBase, time, replayLsn, cycle, nextFileNumber, snapshotFileNumber, files, viewLsns);
    }
}
