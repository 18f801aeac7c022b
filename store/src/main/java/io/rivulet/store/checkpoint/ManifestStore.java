package io.rivulet.store.checkpoint;

import io.rivulet.store.log.CommitLog;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Holds the manifest and replaces it durably. Owned by: background thread. */
public final class ManifestStore {
    /** The snapshot of the log that it is. */
    public static final String NAME = "manifest";

    private final CommitLog log;
    private Manifest current;

    private ManifestStore(CommitLog log, Manifest current) {
        this.log = log;
        this.current = current;
    }

    /** Reads the manifest, or makes the first one. */
    public static ManifestStore open(CommitLog log, long timestampBaseOfNewStore) throws IOException {
        Manifest manifest = load(log);
        if (manifest != null) {
            return new ManifestStore(log, manifest);
        }
        ManifestStore created = new ManifestStore(log, Manifest.first(timestampBaseOfNewStore, log.firstLsn()));
        created.replace(m -> m);
        return created;
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

    /** Returns when the new manifest is durable, and everything in the log that it may refer to. */
    public Manifest replace(UnaryOperator<Manifest> change) throws IOException {
        Manifest next = change.apply(current);
        log.force();
        log.saveSnapshot(NAME, out -> {
            DataOutputStream data = new DataOutputStream(new BufferedOutputStream(Channels.newOutputStream(out)));
            next.writeTo(data);
            data.flush();
        });
        current = next;
        return next;
    }

    /** Takes a number for a file to be. Not durable: after a crash the file is a stranger, and its number is free. */
    public long takeFileNumber() {
        long number = current.nextFileNumber();
        current = current.withFileNumberTaken();
        return number;
    }
}
