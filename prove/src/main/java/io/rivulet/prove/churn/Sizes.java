package io.rivulet.prove.churn;

import io.rivulet.prove.process.BrokerProcess;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;

/**
 * How large a broker is. Immutable.
 *
 * @param heapBytes in use after a full collection
 * @param otherBytes resident memory; all of the heap is resident from the start, so only the rest can grow
 */
record Sizes(long heapBytes, long otherBytes, long files, long threads) {
    /** What is compared, and by how much it may seem to grow. */
    @SuppressWarnings("ImmutableEnumChecker") // the functions have no state
    enum Measure {
        HEAP("heap", Sizes::heapBytes, 256 << 10),
        OTHER_MEMORY("memory outside the heap", Sizes::otherBytes, 12 << 20),
        FILES("open files", Sizes::files, 4),
        THREADS("threads", Sizes::threads, 3);

        private final String title;
        private final ToLongFunction<Sizes> of;
        private final long noise;

        Measure(String title, ToLongFunction<Sizes> of, long noise) {
            this.title = title;
            this.of = of;
            this.noise = noise;
        }

        private double growth(List<Sizes> series) {
            return slope(series.stream().mapToLong(of).toArray()) * (series.size() - 1);
        }
    }

    static Sizes of(BrokerProcess broker) throws IOException, InterruptedException {
        return new Sizes(broker.usedHeapBytes(), broker.residentBytes(), broker.openFiles(), broker.threadCount());
    }

    /** Where the broker has grown from the first to the last: not an outlier, but the slope of all of them. */
    static List<String> complaints(List<Sizes> series) {
        List<String> found = new ArrayList<>();
        for (Measure measure : Measure.values()) {
            double growth = measure.growth(series);
            if (growth > measure.noise) {
                found.add(String.format(
                        Locale.ROOT,
                        "%s grows by %,.0f over %d measurements: %s",
                        measure.title,
                        growth,
                        series.size(),
                        Arrays.toString(series.stream().mapToLong(measure.of).toArray())));
            }
        }
        return found;
    }

    static String figures(List<Sizes> series) {
        List<String> parts = new ArrayList<>();
        for (Measure measure : Measure.values()) {
            parts.add(String.format(
                    Locale.ROOT,
                    "%s %,d, %+,.0f",
                    measure.title,
                    measure.of.applyAsLong(series.get(0)),
                    measure.growth(series)));
        }
        return String.join("; ", parts);
    }

    /** The slope of Theil and Sen: the median of the slopes between all pairs. */
    static double slope(long... values) {
        double[] slopes = new double[values.length * (values.length - 1) / 2];
        int count = 0;
        for (int i = 0; i < values.length; i++) {
            for (int j = i + 1; j < values.length; j++) {
                slopes[count++] = (double) (values[j] - values[i]) / (j - i);
            }
        }
        Arrays.sort(slopes);
        return count == 0 ? 0 : (slopes[(count - 1) / 2] + slopes[count / 2]) / 2;
    }
}
