/**
 * Passes calls to the thread that owns groups and transactions.
 *
 * <p>Enters: calls from any thread. Leaves: the same calls on that thread, or their refusal if the thread is behind.
 *
 * <p>Thread: each class says.
 */
@NullMarked
package io.rivulet.broker.api.coordinator;

import org.jspecify.annotations.NullMarked;
