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
 * <p><b>Lsn.</b> A group is identified by its lsn. Lsns grow and are not dense: compare them, but do no arithmetic with them.
 * Watermarks are exclusive: a group is durable if {@code group.lsn() < durableLsn()}. A byte of a group's body is addressed by (lsn,
 * body index).
 *
 * <p><b>Threads.</b> One thread, the log-writer, calls {@link #acquireGroup}, {@link #releaseGroup}, {@link #append},
 * {@link #withdrawRefused}, {@link #forceLeft} and {@link #isForceLeft}. Everything else may be called by any thread. The wake-up given at open is called by
 * a thread of the log, must not block, and means that the watermarks or {@link #failure()} have changed.
 *
 * <p><b>Outcomes of an append.</b>
 * <ul>
 *   <li>durable: {@link #durableLsn()} has passed the group. Groups become durable in order.
 *   <li>failed: {@link AppendException} with {@link AppendOutcome#FAILED}, or {@link #withdrawRefused} has withdrawn it: it is
 *       not in the log and never will be.
 *   <li>unknown: {@link AppendException} with {@link AppendOutcome#UNKNOWN}, or {@link #failure()} is set before the group
 *       was durable. A replay after the next opening shows it; appending the group again could store it twice.
 * </ul>
 *
 * <p><b>Failures.</b> The first failed write, force or directory operation is latched in {@link #failure()}. Nothing is
 * retried, later appends are rejected with that cause, and reads continue. A full disk is no failure: the append is rejected, nothing
 * of it is in the log, and later appends succeed when there is space. If another thread finds the disk full, the group and all groups
 * after it wait for {@link #withdrawRefused}.
 *
 * <p><b>Crash policy.</b> With {@link Durability#FSYNC}, a durable group and all groups before it survive a power cut. Of later
 * groups, an unbroken sequence may survive, each whole and unaltered. A group that is missing after a crash never reappears.
 */
public interface CommitLog extends AutoCloseable {
    /**
     * Prepares an opened log for appends: takes a new epoch and drops what a crash left after the end. Before this call the log can be
     * read and replayed and is unchanged on the disk. Required before the first append and snapshot; further calls do nothing.
     */
    void begin() throws IOException;

    /** An empty group; null if all are in use, which is back-pressure: publish and release some first. */
    @Nullable
    LogGroup acquireGroup();

    /** Returns a group, whose bytes must not be used any more. An appended group must be written or withdrawn before. */
    void releaseGroup(LogGroup group);

    /**
     * Places the group at the end of the log; other threads write it and make it durable. On return the group has its lsn. It stays the
     * caller's in every case, but the log reads it until {@link #writtenLsn()} is behind it.
     */
    long append(LogGroup group) throws AppendException;

    /**
     * Withdraws appended groups for which the disk was full: the first one and all groups after it. They are no longer {@link LogGroup#isAppended appended}; the next group takes the place
     * of the first. Until then nothing more is written. The wake-up tells when there may be something to do here.
     *
     * @return false when there was nothing
     */
    boolean withdrawRefused();

    /**
     * Makes durable, here and now, what {@link #append} left to its caller: a log may do so with a small group, when that takes
     * less time than to wake another thread. The log-writer calls this whenever it has nothing else to do. Small groups that were
     * appended one after the other meanwhile are made durable together.
     *
     * @return false when there was nothing
     */
    boolean forceLeft();

    /** Whether {@link #forceLeft} has something to do. */
    boolean isForceLeft();

    /** Every group before this lsn is written to the operating system. The next group has this lsn or a greater one. */
    long writtenLsn();

    /** Every group before this lsn is as durable as the {@link Durability} of the log promises. */
    long durableLsn();

    /** The state of a group for which {@link #append} has returned an lsn. */
    AppendOutcome outcome(long lsn);

    /** The first failure of the log or of any other user of its latch, after which nothing is written; null if there is none. */
    @Nullable
    Throwable failure();

    /**
     * Returns when every group appended before the call is on the disk or refused, whatever the {@link Durability} (but with
     * {@link Durability#NONE} it only waits for the writes). Anything that refers to the log by lsn and is itself durable, such as a
     * checkpoint, calls this first.
     *
     * @throws IOException when the log has failed; it is then unknown what is durable
     */
    void force() throws IOException;

    /**
     * Copies {@code lengthBytes} of a group's body to {@code target}, whose position moves by as much. The caller checks a
     * checksum of its own: this one reads too little for the group's.
     *
     * @throws TrimmedException when the group has been trimmed
     */
    void read(long lsn, int bodyIndex, int lengthBytes, ByteBuffer target) throws IOException;

    /**
     * Reads the first of these ranges, and with it as many of those behind it as one I/O can bring: they lie close together and
     * {@code target} has room for all. It is filled from its beginning; the ranges know afterwards {@link LogRanges#placeOf where} they
     * are, with whatever lies between them. As for {@link #read(long, int, int, ByteBuffer)}, the caller checks checksums.
     *
     * @return how many were read: at least one
     * @throws TrimmedException when the group of the first has been trimmed
     */
    int read(LogRanges ranges, ByteBuffer target) throws IOException;

    /**
     * Cheap; called about once a second.
     *
     * @throws IOException when the file that is being written was removed or replaced
     */
    void check() throws IOException;

    /** Reads and verifies one whole group into memory of its own. */
    LogGroupView readGroup(long lsn) throws IOException;

    /**
     * Shows every group from the first at or after {@code fromLsn} to what is {@link #writtenLsn()} now, in order, each
     * verified.
     *
     * @param fromLsn the lsn of a group, or a watermark this log once had
     * @throws TrimmedException when groups at or after {@code fromLsn} have been trimmed
     * @throws DamagedLogException at the first group that is not what was written
     */
    void replay(long fromLsn, GroupVisitor visitor) throws IOException;

    /**
     * Trims groups before this lsn, now or later. After a crash some of them may be there again.
     */
    void trimBefore(long lsn) throws IOException;

    /** Groups before this have been trimmed. */
    long firstLsn();

    /** Bytes of the log on the disk, including prepared space. */
    long sizeBytes();

    /** Grows with each opening, durably, before the first append. */
    long epoch();

    /** A random number from the creation of the log; never changes. */
    long storeId();

    /**
     * Writes a snapshot and puts it in the place of the one of the same name at once and durably. Memory in use does not
     * depend on its size. A failure is the caller's alone: the log goes on, with the snapshot it had.
     *
     * @param name of letters, digits and dashes
     */
    void saveSnapshot(String name, SnapshotWriter writer) throws IOException;

    /**
     * Reads a snapshot; every byte is verified before the reader sees it.
     *
     * @return false when there is none of this name; the reader is then not called
     * @throws DamagedLogException when it is not what was saved, possibly after the reader has seen a part of it
     */
    boolean loadSnapshot(String name, SnapshotReader reader) throws IOException;

    List<String> snapshots() throws IOException;

    /** Deletes a snapshot durably; no effect when there is none. */
    void deleteSnapshot(String name) throws IOException;

    LogCounters counters();

    /** Forces what was written, stops the log's threads and closes the files. Appends are refused from now on. */
    @Override
    void close() throws IOException;

    /** Puts a snapshot's bytes into a channel that takes all it is given. */
    @FunctionalInterface
    interface SnapshotWriter {
        void writeTo(WritableByteChannel out) throws IOException;
    }

    /** Takes a snapshot's bytes out of a channel, which ends where the snapshot ends. */
    @FunctionalInterface
    interface SnapshotReader {
        void readFrom(ReadableByteChannel in) throws IOException;
    }

    /** Sees one group after another; the view is good during the call only. */
    @FunctionalInterface
    interface GroupVisitor {
        void visit(LogGroupView group) throws IOException;
    }
}
