package io.rivulet.broker.config;

/**
 * Limits of transactions. Immutable.
 *
 * @param maxTimeoutMillis the longest timeout that a producer may ask for
 * @param idExpirationMillis a transactional id is forgotten after so long without a transaction
 * @param expiryIntervalMillis time between two searches for expired ids
 * @param maxIds the largest number of transactional ids
 * @param maxHeapBytes the heap for open and aborted transactions, estimated
 */
public record TransactionSettings(
        int maxTimeoutMillis, long idExpirationMillis, long expiryIntervalMillis, int maxIds, long maxHeapBytes) {
    static TransactionSettings of(ConfigValues values) {
        return new TransactionSettings(
                values.integer(BrokerKey.TRANSACTION_MAX_TIMEOUT_MS),
                values.number(BrokerKey.TRANSACTIONAL_ID_EXPIRATION_MS),
                values.number(BrokerKey.TRANSACTION_EXPIRY_INTERVAL_MS),
                values.integer(BrokerKey.MAX_TRANSACTIONAL_IDS),
                values.number(BrokerKey.TRANSACTIONS_BYTES));
    }
}
