package io.rivulet.store.simulation;

import java.util.ArrayList;
import java.util.List;

/** The last batches of one producer in one queue. The same rules serve the model and the gate under test. */
public final class Sequences {
    static final long ADMIT = -1;
    public static final long OUT_OF_ORDER = -2;

    private static final int KEPT = 5;

    private record Known(int sequence, long baseOffset) {}

    private final List<Known> known = new ArrayList<>();

    Sequences copy() {
        Sequences copy = new Sequences();
        copy.known.addAll(known);
        return copy;
    }

    /**
     * {@link #ADMIT}, the offset of the same batch, or {@link #OUT_OF_ORDER}. Any first sequence of an unknown producer
     * is admitted.
     */
    long verdict(int sequence) {
        for (Known batch : known) {
            if (batch.sequence == sequence) {
                return batch.baseOffset;
            }
        }
        return known.isEmpty() || next() == sequence ? ADMIT : OUT_OF_ORDER;
    }

    int next() {
        return known.isEmpty() ? 0 : known.get(known.size() - 1).sequence + 1;
    }

    /** A second call with the same batch changes nothing. */
    void add(int sequence, long baseOffset) {
        if (known.isEmpty() || known.get(known.size() - 1).baseOffset < baseOffset) {
            known.add(new Known(sequence, baseOffset));
            if (known.size() > KEPT) {
                known.remove(0);
            }
        }
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        known.forEach(batch ->
                text.append(batch.sequence).append('@').append(batch.baseOffset).append(' '));
        return text.toString().trim();
    }

    static Sequences parse(String text) {
        Sequences sequences = new Sequences();
        for (String batch : text.split(" ", -1)) {
            String[] parts = batch.split("@", -1);
            sequences.add(Integer.parseInt(parts[0]), Long.parseLong(parts[1]));
        }
        return sequences;
    }
}
