/**
 * Transactions: transactional ids, open transactions, and how they end.
 *
 * <p>Enters: requests of producers and administrators; from the store, transactional batches and markers, and the
 * entries of this view. Leaves: entries, and the atomic log group that ends a transaction; stable offsets and aborted
 * transactions of each queue.
 *
 * <p>Threads: the coordinator thread owns the transactional ids; {@link io.rivulet.broker.txn.OpenTransactions} is
 * shared and guarded.
 */
@NullMarked
package io.rivulet.broker.txn;

import org.jspecify.annotations.NullMarked;
