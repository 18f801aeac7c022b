package io.rivulet.cluster.fake;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Keeps entries. Guarded by its engine. */
final class FakeBookie {
    private record Place(long ledger, long entryId) {}

    private final Map<Place, ByteBuffer> entries = new HashMap<>();
    private final Set<Long> fenced = new HashSet<>();
    boolean up = true;

    FakeBookie copy() {
        FakeBookie copy = new FakeBookie();
        copy.entries.putAll(entries);
        copy.fenced.addAll(fenced);
        copy.up = up;
        return copy;
    }

    void store(long ledger, long entryId, ByteBuffer bytes) {
        ByteBuffer copy = ByteBuffer.allocate(bytes.remaining());
        copy.put(bytes.duplicate()).flip();
        entries.put(new Place(ledger, entryId), copy);
    }

    @Nullable
    ByteBuffer entry(long ledger, long entryId) {
        return entries.get(new Place(ledger, entryId));
    }

    void fence(long ledger) {
        fenced.add(ledger);
    }

    boolean isFenced(long ledger) {
        return fenced.contains(ledger);
    }

    void delete(long ledger) {
        entries.keySet().removeIf(place -> place.ledger == ledger);
    }
}
