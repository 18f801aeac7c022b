package io.rivulet.broker.share;

import java.util.ArrayList;
import java.util.List;

/**
 * Runs whose deliveries have ended, on their way to the log. Those of one row are side by side. They are counted as
 * heap from the start until the log has them.
 *
 * <p>Owned by: the caller that collects them, then the append.
 */
final class Results {
    /** The heap of a result: its place here, in the entry, and in the buffer of the log. */
    static final int HEAP_BYTES = 96;

    private final List<Run> runs = new ArrayList<>();

    void add(Run run) {
        runs.add(run);
    }

    /** Removes the runs whose records are archived for a {@link DeadCause}, and returns them. */
    List<Run> takeDead() {
        List<Run> dead = new ArrayList<>(0);
        runs.removeIf(run -> run.cause != DeadCause.NONE && dead.add(run));
        return dead;
    }

    List<Run> runs() {
        return runs;
    }

    int size() {
        return runs.size();
    }

    boolean isEmpty() {
        return runs.isEmpty();
    }
}
