package io.rivulet.store.log;

import io.rivulet.store.Durability;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A sequence of groups that become durable in order. Only its beginning is ever trimmed.
 *
 * <p><b>Lsn.</b> A group is identified by its lsn. Lsns grow and are not dense: compare them, but do no arithmetic with
 * them. Watermarks are exclusive: a group is durable if {@code group.lsn() < durableLsn()}. A byte of a group's body is
 * addressed by (lsn, body index).
 *
 * <p><b>Threads.</b> One thread, the log-writer, calls {@link #acquireGroup}, {@link #releaseGroup}, {@link #append},
 * {@link #withdrawRefused}, {@link #forceLeft} and {@link #smallGroupsOnTheirWay}. Any thread may call everything else.
 * A thread of the log calls the wake-up that was given at open when the watermarks or {@link #failure()} have changed,
 * or when {@link #acquireGroup} has found none and there may be one now. The wake-up must not block.
 *
 * <p><b>Outcomes of an append.</b>
 * <ul>
 * <li>durable: {@link #durableLsn()} has passed the group. Groups become durable in order.
 * <li>failed: {@link AppendException} with any reason except {@code WRITE_FAILED}, or {@link #withdrawRefused} has
 * withdrawn it: it is not in the log and never will be.
 * <li>unknown: {@link AppendException} with the reason {@code WRITE_FAILED}, or {@link #failure()} is set before the
 * group was durable. A replay after the next opening shows it; appending the group again could store it twice.
 * </ul>
 *
 * <p><b>Failures.</b> The first failed write, force or directory operation is latched in {@link #failure()}. Nothing is
 * retried, later appends are rejected with that cause, and reads continue. A full disk is no failure: the append is
 * rejected, nothing of it is in the log, and later appends succeed when there is space. If another thread finds the
 * disk full, the group and all groups after it wait for {@link #withdrawRefused}.
 *
 * <p><b>Crash policy.</b> With {@link Durability#FSYNC}, a durable group and all groups before it survive a power cut.
 * Of later groups, an unbroken sequence may survive, each complete and unaltered. A group that is missing after a crash
 * never reappears.
 */
public interface CommitLog extends AutoCloseable {
    /**
     * Prepares an opened log for appends: takes a new epoch and drops what a crash left after the end. Before this call
     * the log can be read and replayed and is unchanged on the disk. Required before the first append and snapshot;
     * further calls do nothing.
     */
    void begin() throws IOException;

    /** An empty group; null if all are in use. That is back-pressure: publish and release some first. */
    @Nullable
    LogGroup acquireGroup();

    /**
     * Returns a group to the log; the caller must not use its bytes any more. An appended group must be written or
     * withdrawn before.
     */
    void releaseGroup(LogGroup group);

    /**
     * Places the group at the end of the log; other threads write it and make it durable. On return the group has its
     * lsn. It stays the caller's in every case, but the log reads it until {@link #writtenLsn()} has passed it.
     */
    long append(LogGroup group) throws AppendException;

    /**
     * Withdraws appended groups for which the disk was full: the first one and all groups after it. They are no longer
     * {@link LogGroup#isAppended appended}; the next group takes the place of the first. Until then nothing more is
     * written. The wake-up is called when there may be groups to withdraw.
     *
     * @return false if there was none
     */
    boolean withdrawRefused();

    /**
     * Forces the groups that {@link #append} left to this thread. A log leaves a small group to it if that takes less
     * time than waking another thread. The log-writer calls this whenever it has nothing else to do. Small groups that
     * were appended meanwhile are forced together.
     *
     * @return false if there was none
     */
    boolean forceLeft();

    /**
     * How many groups that are not full may be on their way at the moment. The log-writer appends a group that is not
     * full only while fewer are; the next one collects entries meanwhile. At least 1.
     */
    int smallGroupsOnTheirWay();

    /** Every group before this lsn is written to the operating system. The next group has this lsn or a greater one. */
    long writtenLsn();

    /** Every group before this lsn is as durable as the {@link Durability} of the log promises. */
    long durableLsn();

    /**
     * The first failure of the log or of any other user of its latch, after which nothing is written; null if there is
     * none.
     */
    @Nullable
    Throwable failure();

    /**
     * Returns when every group appended before the call is on the disk or refused, for any {@link Durability}; but with
     * {@link Durability#NONE} it waits only for the writes. Durable data that refers to the log by lsn, such as a
     * checkpoint, needs this call first.
     *
     * @throws IOException if the log has failed, or after {@link #closeSoon} if the disk does not respond; it is then
     *     unknown what is durable
     */
    void force() throws IOException;

    /**
     * Gives {@link #force} a limit of time from now on, because the log is about to be closed. Before that, a disk or
     * another machine that does not respond is no failure. Any thread.
     */
    void closeSoon();

    /**
     * Copies {@code lengthBytes} of a group's body to {@code target} and advances its position. The caller verifies a
     * checksum of its own: the group's checksum covers more than is read here.
     *
     * @throws TrimmedException if the group has been trimmed
     */
    void read(long lsn, int bodyIndex, int lengthBytes, ByteBuffer target) throws IOException;

    /**
     * Reads the first of these ranges, together with following ones if one I/O can read them: they are close together
     * and {@code target} has room for all. Fills the target from its start. Afterwards {@link LogRanges#placeOf} gives
     * the place of each range. As for {@link #read(long, int, int, ByteBuffer)}, the caller verifies checksums.
     *
     * @return how many were read: at least one
     * @throws TrimmedException if the group of the first has been trimmed
     */
    int read(LogRanges ranges, ByteBuffer target) throws IOException;

    /**
     * Cheap; called about once a second.
     *
     * @throws IOException if the file that is being written was removed or replaced
     */
    void check() throws IOException;

    /**
     * Visits every group from the first at or after {@code fromLsn} to the current {@link #writtenLsn()}, in order,
     * each verified.
     *
     * @param fromLsn the lsn of a group, or an earlier watermark of this log
     * @throws TrimmedException if groups at or after {@code fromLsn} have been trimmed
     * @throws DamagedLogException at the first damaged group
     */
    void replay(long fromLsn, GroupVisitor visitor) throws IOException;

    /**
     * Whether stores of several directories open this log, one after the other. Then nothing of it is trimmed: a
     * directory that never had it begins at its start. And nothing in it may need a file of one directory.
     */
    boolean isShared();

    /**
     * Whether block files may refer to batches of the log for as long as they need them. If not, the sweep copies large
     * batches too, so that all of the log before a checkpoint can be trimmed.
     */
    boolean keepsBatches();

    /** Trims groups before this lsn, now or later. A crash may restore some of them. */
    void trimBefore(long lsn) throws IOException;

    /** Groups before this have been trimmed. */
    long firstLsn();

    /**
     * Whether no group at or after this lsn has been trimmed. The end of a segment is before {@link #firstLsn()} when
     * that segment has been trimmed, and nothing after it.
     *
     * @param lsn of a group, or an earlier watermark of this log
     */
    boolean hasAllFrom(long lsn);

    /** Bytes that the log takes, including prepared space. */
    long sizeBytes();

    /** The most prepared space: what the log takes for groups to come. */
    long preparedBytes();

    /**
     * About how many bytes of groups a replay between two lsns or watermarks reads. Called for each group of a replay.
     */
    long bytesBetween(long fromLsn, long untilLsn);

    /** Grows with each opening, durably, before the first append. */
    long epoch();

    /** A random number from the creation of the log; never changes. */
    long storeId();

    /**
     * Writes a snapshot and replaces the one of the same name, atomically and durably. Memory in use does not depend on
     * its size. A failure does not affect the log: it keeps the earlier snapshot.
     *
     * @param name letters, digits and dashes
     */
    void saveSnapshot(String name, SnapshotWriter writer) throws IOException;

    /**
     * Reads a snapshot; every byte is verified before the reader gets it.
     *
     * @return false if there is none of this name; the reader is then not called
     * @throws DamagedLogException if the snapshot is damaged, possibly after the reader got a part of it
     */
    boolean loadSnapshot(String name, SnapshotReader reader) throws IOException;

    List<String> snapshots() throws IOException;

    /** Deletes a snapshot durably; no effect when there is none. */
    void deleteSnapshot(String name) throws IOException;

    LogCounters counters();

    /** Forces what was written, stops the log's threads and closes the files. Later appends are refused. */
    @Override
    void close() throws IOException;

    /** Writes the bytes of a snapshot into a channel that accepts all of them. */
    @FunctionalInterface
    interface SnapshotWriter {
        void writeTo(WritableByteChannel out) throws IOException;
    }

    /** Reads the bytes of a snapshot from a channel, which ends where the snapshot ends. */
    @FunctionalInterface
    interface SnapshotReader {
        void readFrom(ReadableByteChannel in) throws IOException;
    }

    /** Receives one group after another; the view is valid during the call only. */
    @FunctionalInterface
    interface GroupVisitor {
        void visit(LogGroupView group) throws IOException;
    }
}
