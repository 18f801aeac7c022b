/**
 * What a store is compared with: a simple model, the invariants, and a world in which time, threads and disk follow
 * from a seed.
 *
 * <p>Thread: that of the simulation; all of it is one thread.
 */
@NullMarked
package io.rivulet.store.simulation;

import org.jspecify.annotations.NullMarked;
