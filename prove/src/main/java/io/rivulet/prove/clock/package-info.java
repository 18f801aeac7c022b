/**
 * Expiries that must take as long as promised while the clock of the broker steps.
 *
 * <p>Enters: the port of a broker. Leaves: for each expiry, whether it came too early or too late.
 *
 * <p>Thread: the caller's; each {@link io.rivulet.prove.clock.Probe} uses one.
 */
@NullMarked
package io.rivulet.prove.clock;

import org.jspecify.annotations.NullMarked;
