/**
 * Kills, pauses, faults of the disk and steps of the clock, against a broker process under load.
 *
 * <p>Enters: a seed. Leaves: violations. {@link io.rivulet.prove.faults.LoadedBroker} starts the process again after
 * each end, at the same port and directory.
 *
 * <p>Thread: the caller's, and those of the load.
 */
@NullMarked
package io.rivulet.prove.faults;

import org.jspecify.annotations.NullMarked;
