package io.rivulet.store.memory;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The sum of everything that is kept outside the heap, term by term, checked against the limit before the first byte is
 * allocated.
 *
 * <p>Owned by: its creator.
 */
public final class MemoryBudget {
    private final long limitBytes;
    private final Map<String, Long> termBytes = new LinkedHashMap<>();

    public MemoryBudget(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    /** Adds the most bytes that one user of memory needs. */
    public MemoryBudget term(String name, long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException(name + " is " + bytes + " bytes, must be 0 or more");
        }
        if (termBytes.putIfAbsent(name, bytes) != null) {
            throw new IllegalArgumentException(name + " is in the memory budget twice");
        }
        return this;
    }

    /** Throws if the terms exceed the limit; the message lists them. */
    public void requireWithinLimit() {
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
    }
}
