package io.rivulet.engine;

import java.util.List;

/** What is acknowledged from now on. Owned by: one thread. */
final class Progress {
    private final List<NumberedHistory> histories;
    private final long[] before;

    Progress(List<NumberedHistory> histories) {
        this.histories = histories;
        this.before =
                histories.stream().mapToLong(NumberedHistory::acknowledgedCount).toArray();
    }

    /** Whether so many more records are acknowledged, and one of each partition. */
    boolean isAtLeast(int more) {
        long sum = 0;
        boolean each = true;
        for (int i = 0; i < before.length; i++) {
            long done = histories.get(i).acknowledgedCount() - before[i];
            sum += done;
            each &= done > 0;
        }
        return each && sum >= more;
    }
}
