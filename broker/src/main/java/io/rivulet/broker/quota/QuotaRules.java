package io.rivulet.broker.quota;

import io.rivulet.broker.coordinator.SnapshotEntries;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.limit.Admission;
import io.rivulet.store.Store;
import io.rivulet.store.View;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The rules: a view of the log, made from entries in {@link QuotaEntryLayout}. An entity without limits is not in it.
 *
 * <p>The log writer changes it. Any thread reads it and sees a change as soon as its entry is durable.
 */
public final class QuotaRules implements View {
    public static final int VIEW_ID = 10;

    /** Of entities and their limits. */
    private static final long MAX_BYTES = 2 << 20;

    /** With all of them, an entry fits into a log group. */
    private static final int MAX_ENTRY_BYTES = 256 << 10;

    private static final int BYTES_PER_ENTITY = 256;
    private static final int BYTES_PER_LIMIT = 512;

    private static final QuotaEntity ANY_ADDRESS = new QuotaEntity(null, null, QuotaEntity.Name.DEFAULT);
    private static final QuotaLevel[] LEVELS = QuotaLevel.values();
    private static final QuotaKind[] KINDS = QuotaKind.values();

    private final Map<QuotaEntity, Map<QuotaKind, QuotaRule>> rules = new ConcurrentHashMap<>();
    /** Those of single addresses, which have several spellings. */
    private final Map<InetAddress, QuotaRule> byAddress = new ConcurrentHashMap<>();

    private final Admission room = new Admission(MAX_BYTES, this::bytes);
    /** The number of rules by kind and level. Owned by the log-writer thread. */
    private final int[] counts = new int[KINDS.length * LEVELS.length];
    /** A bit for each kind and level that has rules. */
    private volatile long used;

    private volatile boolean hasAddresses;
    private volatile long bytes;
    private volatile long changes;

    // ---- any thread ----

    /** Whether there is a rule for users or client ids. */
    boolean limitClients() {
        return used != 0;
    }

    boolean limit(QuotaKind kind) {
        return levels(kind) != 0;
    }

    private int levels(QuotaKind kind) {
        return (int) (used >>> (kind.code() * LEVELS.length)) & 0xFF;
    }

    /** Whether there is a rule for addresses. */
    boolean limitAddresses() {
        return hasAddresses;
    }

    /** The rule for the address: its own, or the default. Null if there is none. */
    @Nullable
    QuotaRule find(InetAddress address) {
        QuotaRule own = byAddress.get(address);
        return own != null ? own : ofAddresses(ANY_ADDRESS);
    }

    private @Nullable QuotaRule ofAddresses(QuotaEntity entity) {
        return rules.getOrDefault(entity, Map.of()).get(QuotaKind.CONNECTION_CREATION_RATE);
    }

    /** Rises with each change. */
    public long changes() {
        return changes;
    }

    /** The rule of this kind for the client: the first one in the order of the levels. Null if there is none. */
    @Nullable
    QuotaRule find(QuotaKind kind, String user, String clientId) {
        for (int left = levels(kind); left != 0; left &= left - 1) {
            QuotaLevel level = LEVELS[Integer.numberOfTrailingZeros(left)];
            Map<QuotaKind, QuotaRule> found = rules.get(level.entity(user, clientId));
            QuotaRule rule = found == null ? null : found.get(kind);
            if (rule != null) {
                return rule;
            }
        }
        return null;
    }

    /** The limit of the entity itself; null if it has none. */
    public @Nullable Double limit(QuotaEntity entity, QuotaKind kind) {
        QuotaRule rule = rules.getOrDefault(entity, Map.of()).get(kind);
        return rule == null ? null : Double.valueOf(rule.limit());
    }

    /** Visits each entity and its limits, in no order. */
    public void forEach(BiConsumer<QuotaEntity, Map<QuotaKind, Double>> visitor) {
        rules.forEach((entity, ofEntity) -> visitor.accept(entity, limits(ofEntity)));
    }

    private static Map<QuotaKind, Double> limits(Map<QuotaKind, QuotaRule> ofEntity) {
        Map<QuotaKind, Double> limits = new EnumMap<>(QuotaKind.class);
        ofEntity.forEach((kind, rule) -> limits.put(kind, rule.limit()));
        return limits;
    }

    private long bytes() {
        return bytes;
    }

    /**
     * Completes when all changes are durable and in effect.
     *
     * @throws RefusedException if there is no room for them
     */
    public CompletionStage<Integer> change(Store store, List<QuotaChange> wanted) {
        long entryBytes = 0;
        long more = 0;
        for (QuotaChange change : wanted) {
            entryBytes += QuotaEntryLayout.bytes(change);
            boolean adds = change.limits().values().stream().anyMatch(limit -> limit != null);
            more += adds ? bytes(change.entity(), change.limits().size()) : 0;
        }
        if (entryBytes > MAX_ENTRY_BYTES) {
            throw new RefusedException(
                    ErrorCode.INVALID_REQUEST, "the quotas of a request may take " + MAX_ENTRY_BYTES + " bytes");
        }
        long reserved = more;
        if (!room.reserve(reserved)) {
            throw new RefusedException(
                    ErrorCode.POLICY_VIOLATION, "all quotas together may take " + MAX_BYTES + " bytes");
        }
        return store.appendState(VIEW_ID, QuotaEntryLayout.entry(wanted))
                .whenComplete((written, failure) -> room.release(reserved));
    }

    private static long bytes(QuotaEntity entity, int limits) {
        long bytes = BYTES_PER_ENTITY + (long) limits * BYTES_PER_LIMIT;
        for (String name : entity.names().values()) {
            bytes += name == null ? 0 : 2L * name.length();
        }
        return bytes;
    }

    // ---- log-writer thread ----

    @Override
    public int id() {
        return VIEW_ID;
    }

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
    public void apply(long groupTimestamp, ByteBuffer entry) {
        QuotaEntryLayout.take(entry).forEach(this::apply);
        changes++;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
    private void apply(QuotaChange change) {
        QuotaEntity entity = change.entity();
        Map<QuotaKind, QuotaRule> before = rules.getOrDefault(entity, Map.of());
        Map<QuotaKind, QuotaRule> after = new EnumMap<>(QuotaKind.class);
        after.putAll(before);
        QuotaLevel level = QuotaLevel.of(entity);
        change.limits().forEach((kind, limit) -> {
            QuotaRule rule = after.get(kind);
            if (limit == null) {
                count(kind, level, after.remove(kind) == null ? 0 : -1);
            } else if (rule != null) {
                rule.limit(limit);
            } else {
                after.put(kind, new QuotaRule(level, limit));
                count(kind, level, 1);
            }
        });
        if (after.isEmpty()) {
            rules.remove(entity);
        } else {
            rules.put(entity, after);
        }
        if (entity.ip() != null) {
            showAddress(entity);
        }
        bytes += (after.isEmpty() ? 0 : bytes(entity, after.size()))
                - (before.isEmpty() ? 0 : bytes(entity, before.size()));
    }

    private void showAddress(QuotaEntity entity) {
        InetAddress address = entity.address();
        QuotaRule rule = ofAddresses(entity);
        if (address != null && rule == null) {
            byAddress.remove(address);
        } else if (address != null) {
            byAddress.put(address, rule);
        }
        hasAddresses = !byAddress.isEmpty() || ofAddresses(ANY_ADDRESS) != null;
    }

    private void count(QuotaKind kind, QuotaLevel level, int more) {
        if (kind.isOfAddresses()) {
            return;
        }
        int index = kind.code() * LEVELS.length + level.number();
        counts[index] += more;
        long bit = 1L << index;
        used = counts[index] > 0 ? used | bit : used & ~bit;
    }

    @Override
    public Snapshot snapshot() {
        List<QuotaChange> all = new ArrayList<>();
        forEach((entity, limits) -> all.add(new QuotaChange(entity, new EnumMap<>(limits))));
        all.sort(Comparator.comparing(change -> change.entity().toString())); // not the order of a hash table
        List<ByteBuffer> entries = all.stream()
                .map(change -> QuotaEntryLayout.entry(List.of(change)))
                .toList();
        return out -> {
            SnapshotEntries.write(entries.stream().map(ByteBuffer::duplicate).toList(), out);
            SnapshotEntries.writeEnd(out);
        };
    }

    @Override
    public void load(ReadableByteChannel in) throws IOException {
        DataInputStream entries = SnapshotEntries.reader(in);
        SnapshotEntries.read(entries, entry -> apply(0, entry));
    }
}
