/**
 * Where brokers run and what the machine says of them.
 *
 * <p>Enters: limits, a data directory, which broker. Leaves: a {@link io.rivulet.bench.lab.RunningBroker} in a process
 * of its own, its processor time and memory, and blocking connections to it.
 *
 * <p>Thread: the command's.
 */
@NullMarked
package io.rivulet.bench.lab;

import org.jspecify.annotations.NullMarked;
