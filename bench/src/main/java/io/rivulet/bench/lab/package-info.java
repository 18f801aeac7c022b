/**
 * Starts brokers and measures their processes.
 *
 * <p>Enters: limits, a data directory, a subject. Leaves: a {@link io.rivulet.bench.lab.RunningBroker} in its own
 * process, its processor time and memory, and blocking connections to it.
 *
 * <p>Thread: the command's.
 */
@NullMarked
package io.rivulet.bench.lab;

import org.jspecify.annotations.NullMarked;
