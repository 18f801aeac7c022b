/**
 * Transactions: who has a transactional id, what is open, and how it ends.
 *
 * <p>Enters: requests of producers and administrators; from the store, transactional batches and markers, and the
 * entries of this view. Leaves: entries, and the atomic group that ends a transaction; what is stable and what was
 * aborted in each queue.
 *
 * <p>Threads: the coordinator and its table belong to the coordinator thread; {@link
 * io.rivulet.broker.txn.OpenTransactions} is shared and guarded.
 */
@NullMarked
package io.rivulet.broker.txn;

import org.jspecify.annotations.NullMarked;
