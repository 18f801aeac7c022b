package io.rivulet.prove.history;

import io.rivulet.prove.history.History.Commit;
import io.rivulet.prove.history.History.Committed;
import io.rivulet.prove.history.History.Entry;
import io.rivulet.prove.history.History.Result;
import io.rivulet.prove.history.History.Write;
import io.rivulet.prove.history.HistoryChecker.Violations;
import java.util.HashMap;
import java.util.Map;

/** Committed offsets do not go back, and no record is processed in two transactions. Owned by: one thread. */
final class GroupRules {
    private final History history;
    private final Violations found;

    GroupRules(History history, Violations found) {
        this.history = history;
        this.found = found;
    }

    void check() {
        GroupOffsets commits = new GroupOffsets(history.events(Write.class), history.events(Commit.class));
        for (Committed one : history.events(Committed.class)) {
            long offset = Math.max(0, one.offset());
            if (offset < commits.atLeast(one.group(), one.partition(), one.startNanos())) {
                found.add("committed offset goes back", one.toString());
            } else if (offset > commits.atMost(one.group(), one.partition(), one.endNanos())) {
                found.add("committed offset that nobody committed", one.toString());
            }
        }
        checkInputs();
    }

    /** Offsets that a transaction commits and what it sends are one. */
    private void checkInputs() {
        Map<String, Write> processed = new HashMap<>();
        for (Write write : history.events(Write.class)) {
            if (write.result() == Result.OK) {
                for (Entry input : write.inputs()) {
                    Write before = processed.put(write.group() + " " + input.value(), write);
                    if (before != null) {
                        found.add("processed twice", input + " by " + before + " and by " + write);
                    }
                }
            }
        }
    }
}
