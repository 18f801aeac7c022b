/**
 * Views of the log: state that is a function of the entries before a position, and of nothing else.
 *
 * <p>Enters: groups that are durable, live or replayed. Leaves: changes to queue table, tail and registered views.
 *
 * <p>Thread: log writer; during recovery the one that opens the store.
 */
@NullMarked
package io.rivulet.store.view;

import org.jspecify.annotations.NullMarked;
