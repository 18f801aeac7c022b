package io.rivulet.prove.failover;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** Bugs of a broker, planted by test classes of the module engine. Immutable. */
enum PlantedBug {
    /** A takeover reads the ledgers of the owner before, which may go on to write. */
    FENCES_NOTHING(Fault.OWNER_PAUSED, "false acknowledgement"),
    /** An owner answers from its state also when another one may have taken over. */
    ASKS_NO_LEASE(Fault.OWNER_PAUSED, "stale answer"),
    /** An append is answered when it is in memory only. */
    ANSWERS_EARLY(Fault.OWNER_KILLED, "acknowledged");

    private final Fault shownBy;
    private final String violation;

    PlantedBug(Fault shownBy, String violation) {
        this.shownBy = shownBy;
        this.violation = violation;
    }

    Fault shownBy() {
        return shownBy;
    }

    /** A part of what the check says. */
    String violation() {
        return violation;
    }

    Bug inBrokers() {
        Path classes = Path.of("..", "engine", "target", "test-classes")
                .toAbsolutePath()
                .normalize();
        String name = name().toLowerCase(Locale.ROOT).replace('_', '-');
        return new Bug(List.of("-Drivulet.bug=" + name), classes.toString());
    }
}
