package io.rivulet.broker.share;

/** A session that found nothing to acquire in a row, and is notified when that may have changed. */
interface RowWaiter {
    /** Called with the lock of the group held. Must not block. */
    void ready(int slot);

    /** Whether it does not wait for anything any more. */
    boolean hasEnded();
}
