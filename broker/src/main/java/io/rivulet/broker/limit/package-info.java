/**
 * What bounds state that clients make grow.
 *
 * <p>Enters: wishes for room. Leaves: reservations, or a refusal.
 *
 * <p>Thread: any.
 */
@NullMarked
package io.rivulet.broker.limit;

import org.jspecify.annotations.NullMarked;
