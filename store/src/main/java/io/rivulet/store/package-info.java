/**
 * The front door of the engine. {@link io.rivulet.store.Store} appends to queues and reads them; a batch is opaque
 * bytes with a record count and a timestamp. {@code store.open} opens one.
 *
 * <p>Enters: requests of any thread. Leaves: completions on the log-writer thread, and reads on the caller's own
 * thread.
 *
 * <p>Holds interfaces and data only and depends on no other package of the store, so that each of them can use it.
 * Callers need this package, {@code open}, {@code failure} and {@code time}; tools need {@code inspect} and {@code
 * repair}.
 */
@NullMarked
package io.rivulet.store;

import org.jspecify.annotations.NullMarked;
