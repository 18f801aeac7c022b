package io.rivulet.bench.versus;

import java.util.Arrays;
import java.util.function.DoubleFunction;

/** The median and the range of some values. Immutable. */
public record Summary(double median, double lowest, double highest, int count) {
    /** @param values at least one */
    public static Summary of(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        double median = sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
        return new Summary(median, sorted[0], sorted[sorted.length - 1], sorted.length);
    }

    /** Summarizes the ratios of two rows, round by round. */
    static Summary ofRatios(double[] values, double[] bases) {
        double[] ratios = new double[Math.min(values.length, bases.length)];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = values[i] / bases[i];
        }
        return of(ratios);
    }

    public String text(DoubleFunction<String> format) {
        String middle = format.apply(median);
        return count == 1 ? middle : middle + " (" + format.apply(lowest) + "-" + format.apply(highest) + ")";
    }
}
