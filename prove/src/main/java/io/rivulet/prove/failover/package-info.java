/**
 * Brokers that own a log on three bookies by turns, under load: brokers and engines are killed, paused, stopped and
 * wiped.
 *
 * <p>Enters: a seed. Leaves: violations. {@link io.rivulet.prove.failover.Rounds} makes the faults, the loads of
 * {@link io.rivulet.prove.load} and {@link io.rivulet.prove.history} judge what came of them.
 *
 * <p>Thread: one for each cluster, and those of the loads.
 */
@NullMarked
package io.rivulet.prove.failover;

import org.jspecify.annotations.NullMarked;
