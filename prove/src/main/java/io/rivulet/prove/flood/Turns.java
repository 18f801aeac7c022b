package io.rivulet.prove.flood;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * How long each exchange of another client took, by turns with the flood at another broker and at its own one. Of all
 * turns together the p99 is judged: that of one turn is the disk's more than anything else's. Not thread-safe: the
 * check adds the turns.
 *
 * @param elsewhere nanoseconds, an array for each turn
 * @param here the same
 */
record Turns(List<long[]> elsewhere, List<long[]> here) {
    private static final int P99_OF = 100;

    double ratio() {
        long without = p99(all(elsewhere));
        return without == 0 ? 0 : (double) p99(all(here)) / without;
    }

    String figures() {
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "p99 with it elsewhere and here, in ms: %.2f %.2f, ratio %.1f (by turns:",
                p99(all(elsewhere)) / 1e6,
                p99(all(here)) / 1e6,
                ratio()));
        for (int i = 0; i < here.size(); i++) {
            text.append(String.format(
                    Locale.ROOT,
                    "%s %.1f %.1f",
                    i == 0 ? "" : ",",
                    p99(elsewhere.get(i)) / 1e6,
                    p99(here.get(i)) / 1e6));
        }
        return text.append(')').toString();
    }

    private static long[] all(List<long[]> turns) {
        return turns.stream().flatMapToLong(Arrays::stream).toArray();
    }

    private static long p99(long[] nanos) {
        long[] sorted = nanos.clone();
        Arrays.sort(sorted);
        return sorted.length == 0 ? 0 : sorted[sorted.length - 1 - sorted.length / P99_OF];
    }
}
