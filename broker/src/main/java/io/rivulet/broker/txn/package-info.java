/**
 * Transactions: transactional ids, open transactions, and how they end.
 *
 * <p>Enters: requests of producers and administrators; from the store, transactional batches and markers, and the
 * entries of this view. Leaves: entries, and the atomic log group that ends a transaction; stable offsets and aborted
 * transactions of each queue.
 *
 * <p>Threads: the coordinator thread owns the transactional ids; {@link io.rivulet.broker.txn.OpenTransactions} and
 * {@link io.rivulet.broker.txn.QueueHistories} are shared with other threads, and guarded.
 */
@NullMarked
package io.rivulet.broker.txn;

import org.jspecify.annotations.NullMarked;
