package io.rivulet.broker.txn;

/**
 * Where a transactional id stands, as the log says. That a transaction is open is not among them: it follows from what {@link
 * OpenTransactions} has. The numbers stand in the log.
 *
 * <pre>
 *  EMPTY, COMMITTED, ABORTED  --begin-->  open  --end, in one group-->  COMMITTED, ABORTED
 *                                               --end, too large-->     COMMITTING, ABORTING  --all markers are there-->  COMMITTED, ABORTED
 *  EMPTY, COMMITTED, ABORTED  --InitProducerId-->  EMPTY
 * </pre>
 */
enum TxnState {
    EMPTY("Empty"),
    COMMITTED("CompleteCommit"),
    ABORTED("CompleteAbort"),
    COMMITTING("PrepareCommit"),
    ABORTING("PrepareAbort");

    /** What Kafka calls an id whose transaction is open. */
    static final String OPEN_NAME = "Ongoing";

    private final String kafkaName;

    TxnState(String kafkaName) {
        this.kafkaName = kafkaName;
    }

    String kafkaName() {
        return kafkaName;
    }

    /** Whether how the transaction ends is decided, and markers are missing. */
    boolean isDecided() {
        return this == COMMITTING || this == ABORTING;
    }

    /** Whether the last transaction was committed, or will be. */
    boolean isCommit() {
        return this == COMMITTED || this == COMMITTING;
    }
}
