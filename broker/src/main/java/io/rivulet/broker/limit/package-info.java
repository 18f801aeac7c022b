/**
 * Limits of state that clients make grow, hashes that they can't foresee, and keys that can be compared.
 *
 * <p>Enters: requests for room. Leaves: reservations, or a refusal.
 *
 * <p>Thread: any.
 */
@NullMarked
package io.rivulet.broker.limit;

import org.jspecify.annotations.NullMarked;
