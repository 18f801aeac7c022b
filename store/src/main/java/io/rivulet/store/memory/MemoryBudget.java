package io.rivulet.store.memory;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The sum of everything that the store keeps outside the heap, term by term, checked against the limit before the
 * first byte is allocated.
 *
 * <p>Immutable.
 */
public final class MemoryBudget {
    private final long limitBytes;
    private final Map<String, Long> termBytes;

    private MemoryBudget(long limitBytes, Map<String, Long> termBytes) {
        this.limitBytes = limitBytes;
        this.termBytes = Map.copyOf(termBytes);
    }

    public static Terms ofLimit(long limitBytes) {
        return new Terms(limitBytes);
    }

    public long limitBytes() {
        return limitBytes;
    }

    /** The most bytes of this term. */
    public long bytes(String term) {
        Long bytes = termBytes.get(term);
        if (bytes == null) {
            throw new IllegalArgumentException("no term " + term + " in the memory budget, only " + termBytes.keySet());
        }
        return bytes;
    }

    /** Collects the terms; {@link #conclude} adds them up. */
    public static final class Terms {
        private final long limitBytes;
        private final Map<String, Long> termBytes = new LinkedHashMap<>();

        private Terms(long limitBytes) {
            this.limitBytes = limitBytes;
        }

        public Terms term(String name, long bytes) {
            if (bytes < 0) {
                throw new IllegalArgumentException(name + " is " + bytes + " bytes, must be 0 or more");
            }
            if (termBytes.putIfAbsent(name, bytes) != null) {
                throw new IllegalArgumentException(name + " is in the memory budget twice");
            }
            return this;
        }

        /** Throws if the terms exceed the limit; the message lists them. */
        public MemoryBudget conclude() {
            long sum = 0;
            for (long bytes : termBytes.values()) {
                sum = Math.addExact(sum, bytes);
            }
            if (sum > limitBytes) {
                throw new IllegalArgumentException("off-heap memory needs " + sum + " bytes = "
                        + termBytes.entrySet().stream()
                                .map(term -> term.getKey() + " " + term.getValue())
                                .collect(Collectors.joining(" + "))
                        + ", but the limit is " + limitBytes + ": raise the limit or lower a term");
            }
            return new MemoryBudget(limitBytes, termBytes);
        }
    }
}
