package io.rivulet.broker.txn;

/**
 * What the log says of a transactional id. Immutable.
 *
 * @param producerId of the producer that has the id now
 * @param epoch of that producer; those of lower ones are fenced
 * @param previousId the producer id before, as far as a request that is repeated may name it; or -1
 * @param previousEpoch the epoch before, for the same; or -1
 * @param nextId in a transaction that is decided, the producer id when it is over; else -1
 * @param nextEpoch as nextId
 * @param timeoutMillis how long a transaction may be open
 * @param changedMillis when it was changed, by the clock of the day
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
    /** No client gets the last one, so that whoever has an epoch can be fenced. */
    static final short LAST_EPOCH = Short.MAX_VALUE - 1;

    static TxnImage first(String id, long producerId, int timeoutMillis, long nowMillis) {
        return new TxnImage(
                id, producerId, (short) 0, NO_ID, NO_EPOCH, NO_ID, NO_EPOCH, timeoutMillis, TxnState.EMPTY, nowMillis);
    }

    boolean isExhausted() {
        return epoch >= LAST_EPOCH;
    }

    /** If it was changed at a later time than this, the clock was set back, and it counts as changed at this. */
    TxnImage changedUpTo(long latestMillis) {
        return changedMillis <= latestMillis
                ? this
                : new TxnImage(
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

    /** Another producer, or the same with a higher epoch, has the id. */
    TxnImage renamed(long newId, short newEpoch, short newPreviousEpoch, int newTimeoutMillis, long nowMillis) {
        return new TxnImage(
                id,
                newId,
                newEpoch,
                newId == producerId ? NO_ID : producerId,
                newPreviousEpoch,
                NO_ID,
                NO_EPOCH,
                newTimeoutMillis,
                TxnState.EMPTY,
                nowMillis);
    }

    /** The transaction is over, and its producer goes on with this id and epoch. */
    TxnImage over(boolean committed, long newId, short newEpoch, boolean mayRepeat, long nowMillis) {
        return new TxnImage(
                id,
                newId,
                newEpoch,
                newId == producerId ? NO_ID : producerId,
                mayRepeat ? epoch : NO_EPOCH,
                NO_ID,
                NO_EPOCH,
                timeoutMillis,
                committed ? TxnState.COMMITTED : TxnState.ABORTED,
                nowMillis);
    }

    /** How the transaction ends is decided, as the image tells that will be there in the end. */
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

    /** What {@link #decided} was told. */
    TxnImage ofDecision() {
        return new TxnImage(
                id,
                nextId,
                nextEpoch,
                previousId,
                previousEpoch,
                NO_ID,
                NO_EPOCH,
                timeoutMillis,
                state.isCommit() ? TxnState.COMMITTED : TxnState.ABORTED,
                changedMillis);
    }
}
