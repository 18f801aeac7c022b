package io.rivulet.store.retention;

import io.rivulet.store.CompactionTerms;
import io.rivulet.store.RetentionLimits;
import io.rivulet.store.View;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.Collections;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * The limits of each retention class that has any. A view of the log with an id of the store.
 *
 * <pre>
 * entry    = retentionClass (4) | maxAgeMillis (8) | maxBytesPerQueue (8) | minDirtyPermille (4), -1 for no compaction
 *            | deleteRetentionMillis (8) | minLagMillis (8) | maxLagMillis (8) | maxTailMillis (8)
 * snapshot = entry *
 * </pre>
 *
 * <p>Crash policy: in the checkpoint, then replayed; an entry that is replayed twice changes nothing.
 *
 * <p>Written by the log-writer thread. Any thread reads.
 */
public final class RetentionTable implements View {
    private static final int ENTRY_BYTES = 56;

    private static final int NO_COMPACTION = -1;

    private final Map<Integer, RetentionLimits> current = new ConcurrentSkipListMap<>();
    /** A new wrapper after each change: copying the map would cost the square of the number of classes. */
    private volatile Map<Integer, RetentionLimits> limits = Collections.unmodifiableMap(current);

    /** The entry that {@link #apply} reads. */
    public static ByteBuffer entry(int retentionClass, RetentionLimits newLimits) {
        CompactionTerms terms = newLimits.compaction();
        ByteBuffer entry = ByteBuffer.allocate(ENTRY_BYTES)
                .putInt(retentionClass)
                .putLong(newLimits.maxAgeMillis())
                .putLong(newLimits.maxBytesPerQueue())
                .putInt(terms == null ? NO_COMPACTION : terms.minDirtyPermille());
        if (terms != null) {
            entry.putLong(terms.deleteRetentionMillis())
                    .putLong(terms.minLagMillis())
                    .putLong(terms.maxLagMillis())
                    .putLong(terms.maxTailMillis());
        }
        return entry.clear();
    }

    @Override
    public int id() {
        return RETENTION_ID;
    }

    @Override
    public void apply(long groupTimestamp, ByteBuffer bytes) {
        put(bytes.duplicate());
    }

    private void put(ByteBuffer entry) {
        int retentionClass = entry.getInt();
        RetentionLimits newLimits = new RetentionLimits(entry.getLong(), entry.getLong(), terms(entry));
        if (newLimits.equals(RetentionLimits.NONE)) {
            current.remove(retentionClass);
        } else {
            current.put(retentionClass, newLimits);
        }
        limits = Collections.unmodifiableMap(current);
    }

    private static @Nullable CompactionTerms terms(ByteBuffer entry) {
        int minDirtyPermille = entry.getInt();
        return minDirtyPermille == NO_COMPACTION
                ? null
                : new CompactionTerms(
                        minDirtyPermille, entry.getLong(), entry.getLong(), entry.getLong(), entry.getLong());
    }

    @Override
    public Snapshot snapshot() {
        Map<Integer, RetentionLimits> now = limits;
        return out -> {
            for (Map.Entry<Integer, RetentionLimits> limit : now.entrySet()) {
                out.write(entry(limit.getKey(), limit.getValue()));
            }
        };
    }

    @Override
    public void load(ReadableByteChannel in) throws IOException {
        current.clear();
        ByteBuffer entry = ByteBuffer.allocate(ENTRY_BYTES);
        while (in.read(entry) >= 0) {
            if (!entry.hasRemaining()) {
                put(entry.flip());
                entry.clear();
            }
        }
        if (entry.position() > 0) {
            throw new EOFException("the snapshot of the retention limits is incomplete");
        }
    }

    /** All limits. The object changes with each change; older objects show the same limits. */
    public Map<Integer, RetentionLimits> limits() {
        return limits;
    }

    public RetentionLimits of(int retentionClass) {
        return limits.getOrDefault(retentionClass, RetentionLimits.NONE);
    }
}
