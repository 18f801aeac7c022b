package io.rivulet.prove;

import java.time.Duration;
import java.util.List;

/**
 * What came of a check. Immutable.
 *
 * @param seed of the first point
 * @param figures what was measured
 */
public record Row(String name, long points, long seed, List<Failure> failures, List<String> figures, Duration time) {
    /**
     * @param seed repeats it
     * @param points how many, from this seed on; more than one if it was seen only at the end
     */
    public record Failure(long seed, long points, String what) {}

    public boolean isOk() {
        return failures.isEmpty();
    }

    /** The command that repeats the failure. */
    public String repeat(Failure failure) {
        return "bin/rivulet prove --check " + name + " --seed " + failure.seed + " --points " + failure.points;
    }
}
