package io.rivulet.prove;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A row of the table. Immutable. */
public interface Check {
    String name();

    /** What holds if no point fails, in one line. */
    String promise();

    /** How many points a run without options does; CI does the same. */
    int points();

    /** How many points may run side by side: one, unless a check says more. */
    default int threads() {
        return 1;
    }

    /** The same check for a long run. It may judge what a short run can only report. */
    default Check thorough() {
        return this;
    }

    /**
     * Prepares what all points share.
     *
     * @param scratch an empty directory that is deleted after the run
     * @param kept a directory for the files of failures; it may not exist yet
     */
    Points open(Path scratch, Path kept) throws Exception;

    /** The prepared check. Thread-safe if {@link #threads} is more than one. */
    interface Points extends AutoCloseable {
        /** Runs what belongs to this seed: one point or more. */
        Found run(long seed) throws Exception;

        /** Checks what can be seen only at the end, and frees what the points share. */
        @Override
        default void close() throws IOException {}
    }

    /**
     * @param points how many points were done
     * @param violations empty if the promise held
     * @param figures lines for the reader of the table
     */
    record Found(int points, List<String> violations, List<String> figures) {
        public Found(int points, List<String> violations) {
            this(points, violations, List.of());
        }

        public static Found ok(int points) {
            return new Found(points, List.of());
        }
    }
}
