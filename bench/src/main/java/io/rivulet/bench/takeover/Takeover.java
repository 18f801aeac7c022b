package io.rivulet.bench.takeover;

import java.util.Locale;
import java.util.Map;

/**
 * What was measured of one takeover. Immutable.
 *
 * @param figures milliseconds of each step that is known
 */
record Takeover(Kind kind, boolean first, int owner, Map<Step, Double> figures) {
    /** What ends the owner before. */
    enum Kind {
        KILLED("kill -9"),
        STOPPED("SIGTERM");

        private final String title;

        Kind(String title) {
            this.title = title;
        }

        String title() {
            return title;
        }
    }

    Takeover {
        figures = Map.copyOf(figures);
    }

    /** Such takeovers are in one table. A broker that had the shard before goes on from its last checkpoint. */
    String group() {
        return kind.title() + ", the next owner " + (first ? "never had the shard" : "had the shard before");
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(group() + ", broker " + owner);
        for (Step step : Step.values()) {
            Double value = figures.get(step);
            if (value != null) {
                text.append(String.format(Locale.ROOT, ", %s %,.0f", step, value));
            }
        }
        return text.toString();
    }
}
