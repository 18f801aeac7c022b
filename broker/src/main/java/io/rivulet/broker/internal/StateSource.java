package io.rivulet.broker.internal;

/**
 * The state of a coordinator as records.
 *
 * <p>Owned by: the coordinator thread.
 */
public interface StateSource {
    /** Increases with each change of the state. */
    long changes();

    /** Begins to write all of the state. It may change meanwhile; then the owner writes the changes too. */
    Image image();

    /** Writes the state in slices, so that the thread can do other work in between. */
    @FunctionalInterface
    interface Image {
        /** Writes the next records. False if there are no more. */
        boolean writeSlice();
    }
}
