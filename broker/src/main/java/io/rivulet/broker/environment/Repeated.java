package io.rivulet.broker.environment;

/** Work that is repeated by one thread, which owns it. Any thread may ask whether it is idle or over. */
public interface Repeated {
    /** Does what there is to do now. False if there was nothing. Whatever it throws is a failure, and it ends. */
    boolean round();

    /** Whether nothing has come since the last round. */
    boolean isIdle();

    /** The time until the next round at the latest. */
    long nanosToNextRound();

    /** Whether there shall be no further round. */
    boolean isOver();

    /** Called once, after the last round. */
    void ended();
}
