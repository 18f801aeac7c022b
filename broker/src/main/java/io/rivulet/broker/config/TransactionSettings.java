package io.rivulet.broker.config;

/**
 * Limits of transactions. Immutable.
 *
 * @param maxTimeoutMillis how long a producer may ask that its transactions may be open
 * @param idExpirationMillis after so long without a transaction a transactional id is forgotten
 * @param expiryIntervalMillis how often it is looked for those
 * @param maxIds how many transactional ids there may be
 * @param maxHeapBytes what open and aborted transactions may take of the heap, about
 */
public record TransactionSettings(
        int maxTimeoutMillis, long idExpirationMillis, long expiryIntervalMillis, int maxIds, long maxHeapBytes) {}
