package io.rivulet.prove.failover;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** Bugs of a broker, planted by test classes of the module engine. Immutable. */
enum PlantedBug {
    /** A takeover reads the ledgers of the owner before, which may go on to write. */
    FENCES_NOTHING(Fault.OWNER_PAUSED, "false acknowledgement"),
    /** An owner answers from its state also when another one may have taken over. */
    ASKS_NO_LEASE(Fault.OWNER_PAUSED, "stale answer"),
    /** An append is answered when it is in memory only. Lost are records, offsets, or the member of a group. */
    ANSWERS_EARLY(Fault.OWNER_KILLED, "acknowledged|The coordinator is not aware of this member");

    private final Fault shownBy;
    private final Pattern violation;

    PlantedBug(Fault shownBy, String violation) {
        this.shownBy = shownBy;
        this.violation = Pattern.compile(violation);
    }

    Fault shownBy() {
        return shownBy;
    }

    /** Whether the check says what this bug does. */
    boolean explains(String what) {
        return violation.matcher(what).find();
    }

    Bug inBrokers() {
        Path classes = Path.of("..", "engine", "target", "test-classes")
                .toAbsolutePath()
                .normalize();
        String name = name().toLowerCase(Locale.ROOT).replace('_', '-');
        return new Bug(List.of("-Drivulet.bug=" + name), classes.toString());
    }
}
