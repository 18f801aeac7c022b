package io.rivulet.broker.txn;

/**
 * The state of a transactional id in the log. Immutable.
 *
 * @param producerId the producer that has the id now
 * @param epoch of that producer; lower epochs are fenced
 * @param previousId the previous producer id, if repeated requests with it are accepted; or -1
 * @param previousEpoch the previous epoch, likewise; or -1
 * @param nextId the producer id after a decided transaction; else -1
 * @param nextEpoch the epoch after a decided transaction; else -1
 * @param timeoutMillis how long a transaction may be open
 * @param changedMillis when it was last changed, by the wall clock
 */
record TxnImage(
        String id,
        long producerId,
        short epoch,
        long previousId,
        short previousEpoch,
        long nextId,
        short nextEpoch,
        int timeoutMillis,
        TxnState state,
        long changedMillis) {
    static final long NO_ID = -1;
    static final short NO_EPOCH = -1;
    /** No client gets the last epoch, so that every client can be fenced. */
    static final short LAST_EPOCH = Short.MAX_VALUE - 1;

    static TxnImage first(String id, long producerId, int timeoutMillis, long nowMillis) {
        return new TxnImage(
                id, producerId, (short) 0, NO_ID, NO_EPOCH, NO_ID, NO_EPOCH, timeoutMillis, TxnState.EMPTY, nowMillis);
    }

    boolean isExhausted() {
        return epoch >= LAST_EPOCH;
    }

    /** The image with a change time no later than this. A later one means that the clock was set back. */
    TxnImage changedUpTo(long latestMillis) {
        if (changedMillis <= latestMillis) {
            return this;
        }
        return new TxnImage(
                id,
                producerId,
                epoch,
                previousId,
                previousEpoch,
                nextId,
                nextEpoch,
                timeoutMillis,
                state,
                latestMillis);
    }

    /** The image after another producer, or the same with a higher epoch, has taken over the id. */
    TxnImage renamed(long newId, short newEpoch, short oldEpoch, int newTimeoutMillis, long nowMillis) {
        return after(newId, newEpoch, oldEpoch, newTimeoutMillis, TxnState.EMPTY, nowMillis);
    }

    /** The image after the transaction; the producer continues with this id and epoch. */
    TxnImage over(boolean committed, long newId, short newEpoch, boolean mayRepeat, long nowMillis) {
        TxnState end = committed ? TxnState.COMMITTED : TxnState.ABORTED;
        return after(newId, newEpoch, mayRepeat ? epoch : NO_EPOCH, timeoutMillis, end, nowMillis);
    }

    private TxnImage after(
            long newId, short newEpoch, short oldEpoch, int newTimeoutMillis, TxnState newState, long nowMillis) {
        long oldId = newId == producerId ? NO_ID : producerId;
        return new TxnImage(
                id, newId, newEpoch, oldId, oldEpoch, NO_ID, NO_EPOCH, newTimeoutMillis, newState, nowMillis);
    }

    /** The image of a decided transaction, which will end with the given image. */
    TxnImage decided(TxnImage end) {
        return new TxnImage(
                id,
                producerId,
                epoch,
                end.previousId,
                end.previousEpoch,
                end.producerId,
                end.epoch,
                timeoutMillis,
                end.state == TxnState.COMMITTED ? TxnState.COMMITTING : TxnState.ABORTING,
                end.changedMillis);
    }

    /** The image that {@link #decided} was given. */
    TxnImage ofDecision() {
        TxnState end = state.isCommit() ? TxnState.COMMITTED : TxnState.ABORTED;
        return new TxnImage(
                id, nextId, nextEpoch, previousId, previousEpoch, NO_ID, NO_EPOCH, timeoutMillis, end, changedMillis);
    }
}
