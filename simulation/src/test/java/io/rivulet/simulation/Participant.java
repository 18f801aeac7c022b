package io.rivulet.simulation;

import java.util.SplittableRandom;

/** A client, through all lives of a broker. It keeps what it knows of its own requests. */
interface Participant {
    /** A broker has started. What was in flight before has no answer. */
    void begin(SimulatedBroker broker, SplittableRandom random);

    /** Called before {@link #verify} of all: ends what the last life has left open. */
    default void settle(Asking asking) {}

    /** Asks back what was promised. */
    default void verify(Asking asking) {}

    /** May start something. */
    void act();

    /** Throws if a request has been open for too long. */
    void requireAnswers();

    /** Closes its connection. */
    void leave();

    /** Whether its connection is closed. */
    boolean hasLeft();

    /** Whether all requests are answered. */
    boolean isQuiet();
}
