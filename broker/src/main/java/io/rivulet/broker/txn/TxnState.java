package io.rivulet.broker.txn;

/**
 * Where a transactional id stands, as the log says. That a transaction is open is not among them: it follows from what
 * {@link OpenTransactions} has. The numbers stand in the log.
 *
 * <pre>
 *  EMPTY, COMMITTED, ABORTED  --begin-->  open  --end, in one group-->  COMMITTED, ABORTED
 *                                               --end, too large-->     COMMITTING, ABORTING  --all markers are there-->  COMMITTED, ABORTED
 *  EMPTY, COMMITTED, ABORTED  --InitProducerId-->  EMPTY
 * </pre>
 */
enum TxnState {
    EMPTY(0, "Empty"),
    COMMITTED(1, "CompleteCommit"),
    ABORTED(2, "CompleteAbort"),
    COMMITTING(3, "PrepareCommit"),
    ABORTING(4, "PrepareAbort");

    /** What Kafka calls an id whose transaction is open. */
    static final String OPEN_NAME = "Ongoing";

    /** Stands in the log. */
    private final byte number;

    private final String kafkaName;

    TxnState(int number, String kafkaName) {
        this.number = (byte) number;
        this.kafkaName = kafkaName;
    }

    static TxnState numbered(byte number) {
        for (TxnState state : values()) {
            if (state.number == number) {
                return state;
            }
        }
        throw new IllegalStateException("a transactional id in a state of number " + number);
    }

    byte number() {
        return number;
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
