package io.rivulet.prove.flood;

import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;

/** Bugs of a broker under a flood, in what the check sees of it. Immutable. */
@SuppressWarnings("ImmutableEnumChecker") // the functions have no state
enum PlantedBug {
    REFUSES_NEW_CLIENTS(sound -> new Measured(
            sound.turns(),
            "another client is not served: can't connect",
            sound.tookBytes(),
            sound.filesBefore(),
            sound.filesAfter(),
            true,
            List.of())),
    TAKES_MEMORY_FOR_SILENT_CONNECTIONS(sound -> new Measured(
            sound.turns(), null, 10_000L * (16 << 10), sound.filesBefore(), sound.filesAfter(), true, List.of())),
    KEEPS_CONNECTIONS_THAT_ARE_GONE(sound ->
            new Measured(sound.turns(), null, sound.tookBytes(), sound.filesBefore(), 10_000, true, List.of())),
    DIES_OF_A_FLOOD(
            sound -> new Measured(sound.turns(), null, sound.tookBytes(), sound.filesBefore(), 0, false, List.of())),
    LOGS_AN_ERROR_IN_A_FLOOD(sound -> new Measured(
            sound.turns(),
            null,
            sound.tookBytes(),
            sound.filesBefore(),
            sound.filesAfter(),
            true,
            List.of("12:00 ERROR A request failed"))),
    LETS_OTHERS_WAIT(sound -> new Measured(
            new Turns(
                    sound.turns().elsewhere(),
                    sound.turns().elsewhere().stream()
                            .map(nanos ->
                                    Arrays.stream(nanos).map(one -> 3 * one).toArray())
                            .toList()),
            null,
            sound.tookBytes(),
            sound.filesBefore(),
            sound.filesAfter(),
            true,
            List.of()));

    private final UnaryOperator<Measured> change;

    PlantedBug(UnaryOperator<Measured> change) {
        this.change = change;
    }

    Measured in(Measured sound) {
        return change.apply(sound);
    }
}
