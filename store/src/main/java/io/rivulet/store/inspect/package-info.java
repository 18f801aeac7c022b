/**
 * Looks at a store that is not open, whole or damaged, and tells what is there and what is wrong where. Changes nothing.
 *
 * <p>Enters: a directory. Leaves: lines for a human, and a verdict.
 *
 * <p>Thread: the caller's.
 */
@NullMarked
package io.rivulet.store.inspect;

import org.jspecify.annotations.NullMarked;
