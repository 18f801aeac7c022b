package io.rivulet.broker.txn;

/**
 * The state of a transactional id in the log. There is no state for an open transaction: {@link OpenTransactions} knows
 * it. The numbers are stored in the log.
 *
 * <pre>
 *  EMPTY, COMMITTED, ABORTED  --begin-->  open  --end, in one log group-->  COMMITTED, ABORTED
 *                                               --end, too large-->  COMMITTING, ABORTING
 *  COMMITTING, ABORTING       --all markers are durable-->  COMMITTED, ABORTED
 *  EMPTY, COMMITTED, ABORTED  --InitProducerId-->  EMPTY
 * </pre>
 */
enum TxnState {
    EMPTY(0, 0, "Empty"),
    COMMITTED(1, 4, "CompleteCommit"),
    ABORTED(2, 5, "CompleteAbort"),
    COMMITTING(3, 2, "PrepareCommit"),
    ABORTING(4, 3, "PrepareAbort");

    /** Kafka's name for the state of an id with an open transaction. */
    static final String OPEN_NAME = "Ongoing";

    /** In records of {@code __transaction_state}. */
    static final byte KAFKAS_OPEN_NUMBER = 1;

    /** Stored in the log. */
    private final byte number;

    private final byte kafkasNumber;
    private final String kafkaName;

    TxnState(int number, int kafkasNumber, String kafkaName) {
        this.number = (byte) number;
        this.kafkasNumber = (byte) kafkasNumber;
        this.kafkaName = kafkaName;
    }

    static TxnState numbered(byte number) {
        for (TxnState state : values()) {
            if (state.number == number) {
                return state;
            }
        }
        throw new IllegalStateException("unknown state of a transactional id: " + number);
    }

    byte number() {
        return number;
    }

    /** In records of {@code __transaction_state}. */
    byte kafkasNumber() {
        return kafkasNumber;
    }

    String kafkaName() {
        return kafkaName;
    }

    /** Whether the end of the transaction is decided, and markers are missing. */
    boolean isDecided() {
        return this == COMMITTING || this == ABORTING;
    }

    /** Whether the last transaction was or will be committed. */
    boolean isCommit() {
        return this == COMMITTED || this == COMMITTING;
    }
}
