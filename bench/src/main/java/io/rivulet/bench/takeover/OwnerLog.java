package io.rivulet.bench.takeover;

import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoField;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads what a broker has logged of a takeover: times of day, and the milliseconds of its steps. Immutable.
 *
 * @param lines since the end of the owner before
 */
record OwnerLog(List<String> lines) {
    private static final long MILLIS_PER_DAY = 86_400_000;
    private static final Pattern LINE = Pattern.compile("(\\d\\d:\\d\\d:\\d\\d\\.\\d{3}) \\S+ +\\S+ - (.*)");
    private static final Pattern CLAIM = Pattern.compile("shard \\d+: epoch \\d+, the owner before: .*");
    private static final Pattern SERVES = Pattern.compile("This broker serves the shard, epoch \\d+.*");
    private static final Map<Step, Pattern> STEPS = Map.of(
            Step.CLAIMED, Pattern.compile("\\bclaim (\\d+)"),
            Step.FENCED, Pattern.compile("\\bfence (\\d+)"),
            Step.LOADED, Pattern.compile("\\bload (\\d+)"),
            Step.WAITED, Pattern.compile("\\bwait (\\d+)"));

    static OwnerLog of(String output) {
        return new OwnerLog(output.lines().toList());
    }

    /** The time of day in milliseconds now, as logs have it. */
    static long millisOfDay() {
        return LocalTime.now(ZoneId.systemDefault()).getLong(ChronoField.MILLI_OF_DAY);
    }

    /**
     * The steps of the last takeover that ended; empty if none did.
     *
     * @param endMillis of the owner before, of the day
     */
    Map<Step, Double> steps(long endMillis) {
        Map<Step, Double> steps = new EnumMap<>(Step.class);
        long claimed = -1;
        for (String line : lines) {
            Matcher parts = LINE.matcher(line);
            if (!parts.matches()) {
                continue;
            }
            long millis = Math.floorMod(
                    LocalTime.parse(parts.group(1)).getLong(ChronoField.MILLI_OF_DAY) - endMillis, MILLIS_PER_DAY);
            if (CLAIM.matcher(parts.group(2)).matches()) {
                claimed = millis;
            } else if (SERVES.matcher(parts.group(2)).matches() && claimed >= 0) {
                steps.put(Step.MISSED, (double) claimed);
                steps.put(Step.SERVED, (double) (millis - claimed));
                STEPS.forEach((step, pattern) -> {
                    Matcher found = pattern.matcher(parts.group(2));
                    if (found.find()) {
                        steps.put(step, Double.parseDouble(found.group(1)));
                    }
                });
            }
        }
        return steps;
    }
}
