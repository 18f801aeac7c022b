/**
 * Runs whole brokers in one thread, cuts their power, and asks back what they have acknowledged.
 *
 * <p>In: a seed. Out: a {@link io.rivulet.store.simulation.Violation}, or nothing. The seed decides everything that
 * happens, so it repeats a run (docs/decisions/0057-whole-broker-simulation.md).
 *
 * <p>Thread: that of the test.
 */
@NullMarked
package io.rivulet.simulation;

import org.jspecify.annotations.NullMarked;
