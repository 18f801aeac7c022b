/**
 * Damaged data directories: a broker serves what was written, or refuses by name; a repair loses nothing in silence.
 *
 * <p>Enters: a seed. Leaves: violations. {@link io.rivulet.prove.damage.Sample} makes a small directory with every kind
 * of file, {@link io.rivulet.prove.damage.Damage} changes a copy of it, and {@link io.rivulet.prove.damage.Picture} is
 * all that a broker says about its state.
 *
 * <p>Thread: any; each point has its own directory and broker.
 */
@NullMarked
package io.rivulet.prove.damage;

import org.jspecify.annotations.NullMarked;
