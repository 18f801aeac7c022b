/**
 * Limits of state that clients make grow, and hashes that they can't foresee.
 *
 * <p>Enters: requests for room. Leaves: reservations, or a refusal.
 *
 * <p>Thread: any.
 */
@NullMarked
package io.rivulet.broker.limit;

import org.jspecify.annotations.NullMarked;
