package io.rivulet.prove;

import java.time.Duration;
import java.util.List;

/**
 * What came of a check. Immutable.
 *
 * @param seed of the first point
 */
public record Row(String name, long points, long seed, List<Failure> failures, Duration time) {
    /** @param seed repeats it */
    public record Failure(long seed, String what) {}

    public boolean isOk() {
        return failures.isEmpty();
    }

    /** The command that repeats the failure. */
    public String repeat(Failure failure) {
        return "bin/rivulet prove --check " + name + " --seed " + failure.seed + " --points 1";
    }
}
