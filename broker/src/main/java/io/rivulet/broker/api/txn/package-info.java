/**
 * The APIs of producer ids and transactions. One handler for each API.
 *
 * <p>Enters: decoded requests. Leaves: answers, now or later.
 *
 * <p>Thread: the thread that owns groups and transactions.
 */
@NullMarked
package io.rivulet.broker.api.txn;

import org.jspecify.annotations.NullMarked;
