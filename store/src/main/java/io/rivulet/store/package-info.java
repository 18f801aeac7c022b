/**
 * The engine: {@link io.rivulet.store.Store} is its door. Knows queues, entries and offsets; a batch is opaque bytes with a
 * record count and a timestamp.
 *
 * <p>Enters: requests of any thread. Leaves: completions on the log-writer thread, and reads on the caller's own.
 */
@NullMarked
package io.rivulet.store;

import org.jspecify.annotations.NullMarked;
