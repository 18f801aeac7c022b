/**
 * Describes a store that is not open, intact or damaged. Reports the content and every problem. Changes nothing.
 *
 * <p>Enters: a directory. Leaves: lines for a human, and a verdict.
 *
 * <p>Thread: the caller's.
 */
@NullMarked
package io.rivulet.store.inspect;

import org.jspecify.annotations.NullMarked;
