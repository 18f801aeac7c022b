package io.rivulet.prove.flood;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What was seen before, during and after a flood. Immutable.
 *
 * @param turns the times of the other client
 * @param newcomer what a client that came during the flood complains about; null if nothing
 * @param tookBytes how much more memory the process had during the flood than before
 * @param filesBefore how many files and sockets were open before
 * @param filesAfter the same, some time after the flood
 * @param isAlive whether the process has survived
 * @param errors lines of its log
 */
record Measured(
        Turns turns,
        @Nullable String newcomer,
        long tookBytes,
        long filesBefore,
        long filesAfter,
        boolean isAlive,
        List<String> errors) {
    static final double MOST_RATIO = 2;

    private static final long MOST_BYTES = 64 << 20;
    /** Files of the store, and connections of the check itself. */
    static final long MORE_FILES = 50;

    /** @param judgesRatio whether there are enough turns to judge the ratio */
    List<String> complaints(boolean judgesRatio) {
        List<String> found = new ArrayList<>(errors);
        if (!isAlive) {
            found.add("the process has ended");
        }
        if (newcomer != null) {
            found.add("during the flood: " + newcomer);
        }
        if (tookBytes > MOST_BYTES) {
            found.add("the flood takes " + (tookBytes >> 20) + " MiB");
        }
        if (isAlive && filesAfter > filesBefore + MORE_FILES) {
            found.add("before the flood " + filesBefore + " files were open, after it " + filesAfter);
        }
        if (judgesRatio && turns.ratio() > MOST_RATIO) {
            found.add("the p99 of another client is too long: " + figures());
        }
        return found;
    }

    String figures() {
        return String.format(
                Locale.ROOT,
                "%s; memory %+d MiB; files %d before, %d after",
                turns.figures(),
                tookBytes >> 20,
                filesBefore,
                filesAfter);
    }
}
