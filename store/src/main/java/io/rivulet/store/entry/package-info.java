/**
 * What a group holds: entries, each one batch or one state change.
 *
 * <p>Enters: batches and state changes, or the body of a group that the log has checked. Leaves: the bytes of entries,
 * or calls to an {@link io.rivulet.store.entry.EntryVisitor}, the same for a group just made durable and for one
 * replayed.
 *
 * <p>Thread: none of its own.
 */
@NullMarked
package io.rivulet.store.entry;

import org.jspecify.annotations.NullMarked;
