/**
 * How calls get to the thread that owns groups and transactions.
 *
 * <p>Enters: calls of any thread. Leaves: the same calls on that thread, or their refusal when it has too much to do.
 *
 * <p>Thread: each class says.
 */
@NullMarked
package io.rivulet.broker.api.coordinator;

import org.jspecify.annotations.NullMarked;
