package io.rivulet.store.checkpoint;

import io.rivulet.store.io.StartRefusedException;
import io.rivulet.store.log.CommitLog;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Holds the manifest and replaces it durably. Owned by: background thread. */
public final class ManifestStore {
    private static final Logger LOG = LoggerFactory.getLogger(ManifestStore.class);

    /** Its name among the snapshots of the log. */
    public static final String NAME = "manifest";

    /** Prefix of the names of copies; the number of their snapshots follows. */
    public static final String COPY = "manifest-";

    private final CommitLog log;
    private final boolean isNew;
    private Manifest current;

    private ManifestStore(CommitLog log, Manifest current, boolean isNew) {
        this.log = log;
        this.current = current;
        this.isNew = isNew;
    }

    /**
     * Reads the manifest, or creates the first one, which {@link #begin} writes to the disk: for a new log, or for a
     * directory that never had this shared one.
     *
     * @throws StartRefusedException if the manifest of a used directory is missing, or belongs to another log
     */
    public static ManifestStore open(CommitLog log, long timestampBaseOfNewStore, long nowMillis) throws IOException {
        Manifest manifest = load(log);
        if (manifest == null) {
            boolean isUsed = log.writtenLsn() > log.firstLsn() && !log.isShared();
            if (isUsed || log.snapshots().size() > 0) {
                throw new StartRefusedException("log/manifest.snapshot is missing, yet the log holds lsn "
                        + Long.toHexString(log.firstLsn()) + " to " + Long.toHexString(log.writtenLsn()));
            }
            return new ManifestStore(log, Manifest.first(timestampBaseOfNewStore, nowMillis, log.firstLsn()), true);
        }
        long neededLsn = manifest.replayLsn();
        if (!log.hasAllFrom(neededLsn) || neededLsn > log.writtenLsn()) {
            throw new StartRefusedException("log/manifest.snapshot wants a replay from lsn "
                    + Long.toHexString(neededLsn) + ", yet the log goes from lsn " + Long.toHexString(log.firstLsn())
                    + " to " + Long.toHexString(log.writtenLsn()) + ": one of them is an older copy");
        }
        return new ManifestStore(log, manifest, false);
    }

    /**
     * Makes the first manifest of a new store durable, and the copy that belongs to the checkpoint if there is none.
     */
    public void begin() throws IOException {
        if (isNew) {
            replace(m -> m);
        }
        if (!log.snapshots().contains(COPY + (current.cycle() - 1))) {
            saveCopy(log, current);
        }
    }

    /** New files get higher numbers than this: a file has or had it. */
    public void skipFileNumber(long number) {
        current = current.withNextFileNumber(Math.max(current.nextFileNumber(), number + 1));
    }

    /**
     * Saves a copy of a manifest, so that a repair can restore a lost one: its facts about snapshots and replay are
     * written nowhere else. The store also works without the copy.
     */
    static void saveCopy(CommitLog log, Manifest manifest) {
        try {
            log.saveSnapshot(COPY + (manifest.cycle() - 1), out -> write(manifest, out));
        } catch (IOException e) {
            LOG.warn("The manifest could not be copied; a repair can't restore it if it is lost", e);
        }
    }

    private static @Nullable Manifest load(CommitLog log) throws IOException {
        AtomicReference<@Nullable Manifest> loaded = new AtomicReference<>();
        log.loadSnapshot(NAME, in -> loaded.set(read(in)));
        return loaded.get();
    }

    /** Reads the manifest out of the snapshot {@link #NAME}. */
    public static Manifest read(ReadableByteChannel in) throws IOException {
        return Manifest.readFrom(new DataInputStream(new BufferedInputStream(Channels.newInputStream(in))));
    }

    public Manifest current() {
        return current;
    }

    /** Returns when the new manifest and everything in the log that it refers to are durable. */
    public Manifest replace(UnaryOperator<Manifest> change) throws IOException {
        Manifest next = change.apply(current);
        log.force();
        log.saveSnapshot(NAME, out -> write(next, out));
        current = next;
        return next;
    }

    /** Writes the content of the snapshot {@link #NAME}. */
    public static void write(Manifest manifest, WritableByteChannel out) throws IOException {
        DataOutputStream data = new DataOutputStream(new BufferedOutputStream(Channels.newOutputStream(out)));
        manifest.writeTo(data);
        data.flush();
    }

    /** Takes a number for a new file. Not durable: after a crash the file is unknown, and its number is free. */
    public long takeFileNumber() {
        long number = current.nextFileNumber();
        current = current.withFileNumberTaken();
        return number;
    }
}
