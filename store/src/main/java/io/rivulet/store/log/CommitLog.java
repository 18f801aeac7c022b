package io.rivulet.store.log;

import io.rivulet.store.Durability;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An endless sequence of groups, durable in order, of which only the beginning is ever given up.
 *
 * <p><b>Lsn.</b> A group is known by its lsn. Lsns grow and are not dense; do no arithmetic with them, and only ask which
 * comes first. Watermarks are exclusive: {@code durableLsn} stands behind the last durable group, so a group is durable
 * when {@code group.lsn() < durableLsn()}. A byte in a group's body is found by (lsn, body index).
 *
 * <p><b>Threads.</b> One thread, the log-writer, calls {@link #acquireGroup}, {@link #releaseGroup}, {@link #append},
 * {@link #withdrawRefused}, {@link #forceLeft} and {@link #isForceLeft}. Everything else may be called by any thread. The wake-up given at open is called by
 * a thread of the log, must not block, and means: look at the watermarks and at {@link #failure()} again.
 *
 * <p><b>Outcomes of an append.</b>
 * <ul>
 *   <li>durable: {@link #durableLsn()} has passed the group. Groups become durable in order.
 *   <li>failed: {@link AppendException} with {@link AppendOutcome#FAILED}, or {@link #withdrawRefused} has given it up: it is
 *       not in the log and never will be.
 *   <li>unknown: {@link AppendException} with {@link AppendOutcome#UNKNOWN}, or {@link #failure()} is set before the group
 *       was durable. Opening and replaying the log tells; appending the group again would put it there twice.
 * </ul>
 *
 * <p><b>Failures.</b> The first failed write, force or directory operation is latched in {@link #failure()}. Nothing is
 * retried, later appends are refused with that cause, reads go on. A full disk is no failure: the append that met it is
 * refused, nothing of it is in the log, and later appends succeed once there is space. When it is met behind the caller's back, the
 * group and all that were appended behind it wait for {@link #withdrawRefused}.
 *
 * <p><b>Crash policy.</b> With {@link Durability#FSYNC}, a group that was durable is there after a power cut, and so is
 * every group before it. Groups after the last durable one may be there or not, but only as an unbroken row, whole and
 * unaltered. What was once found missing after a crash never comes back.
 */
public interface CommitLog extends AutoCloseable {
    /**
     * Makes a log that was opened ready for appends: takes a new epoch, drops what a crash left behind its end. Until then it can be
     * read and replayed, and is unchanged on the disk. Comes before the first append and the first snapshot; once more does nothing.
     */
    void begin() throws IOException;

    /** A free group, empty; null when all are in use, which is back-pressure: publish and release some. */
    @Nullable
    LogGroup acquireGroup();

    /** Gives a group back; its bytes must not be touched from now on. One that is appended must be written, or withdrawn. */
    void releaseGroup(LogGroup group);

    /**
     * Gives the group its place at the end of the log, and has it written and made durable behind the caller's back. On return
     * the group has its lsn. It stays the caller's in every case, but the log reads it until {@link #writtenLsn()} is behind it.
     */
    long append(LogGroup group) throws AppendException;

    /**
     * Gives up the groups for which the disk turned out to be full after they had been appended: the first one and all behind it,
     * the last one that was appended included. They are no longer {@link LogGroup#isAppended appended}; the next group takes the place
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

    /** Every group before this has reached the operating system. The next group's lsn is this or greater. */
    long writtenLsn();

    /** Every group before this has what the log's {@link Durability} promises. */
    long durableLsn();

    /** What became of a group that {@link #append} returned an lsn for. */
    AppendOutcome outcome(long lsn);

    /** The first failure, of the log or of those who share its latch, after which nothing is written any more; null as long as all is well. */
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
     * Nobody will ask for groups before this lsn again. Gives up some of them, now or later; after a crash some may be back.
     */
    void trimBefore(long lsn) throws IOException;

    /** Groups before this have been trimmed. */
    long firstLsn();

    /** What the log takes on the disk, prepared space included. */
    long sizeBytes();

    /** Grows with each opening, durably, before the first append. */
    long epoch();

    /** Drawn when the log was created; never changes. */
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
