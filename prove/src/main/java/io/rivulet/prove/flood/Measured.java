package io.rivulet.prove.flood;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What was seen before, during and after a flood. Immutable.
 *
 * @param p99s of the other client, in pairs: without the flood and with it
 * @param newcomer what a client that came during the flood complains about; null if nothing
 * @param tookBytes how much more memory the process had during the flood than before
 * @param filesBefore how many files and sockets were open before
 * @param filesAfter the same, some time after the flood
 * @param isAlive whether the process has survived
 * @param errors lines of its log
 */
record Measured(
        List<Pair> p99s,
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

    /** Two turns, one after the other. */
    record Pair(long calmNanos, long floodedNanos) {
        double ratio() {
            return (double) floodedNanos / calmNanos;
        }
    }

    /** The ratio of the pair in the middle. */
    double ratio() {
        double[] ratios = p99s.stream().mapToDouble(Pair::ratio).sorted().toArray();
        return ratios.length == 0 ? 0 : ratios[(ratios.length - 1) / 2];
    }

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
        if (judgesRatio && ratio() > MOST_RATIO) {
            found.add("the p99 of another client is too long: " + figures());
        }
        return found;
    }

    String figures() {
        StringBuilder text = new StringBuilder("p99 without and with it, in ms:");
        p99s.forEach(pair ->
                text.append(String.format(Locale.ROOT, " %.1f %.1f,", pair.calmNanos / 1e6, pair.floodedNanos / 1e6)));
        return text.append(String.format(
                        Locale.ROOT,
                        " ratio %.1f; memory %+d MiB; files %d before, %d after",
                        ratio(),
                        tookBytes >> 20,
                        filesBefore,
                        filesAfter))
                .toString();
    }
}
