/**
 * Rivulet beside Apache Kafka: a command enters, a table of ratios and plots leave. Each broker runs in a child process, one at a
 * time; subjects take turns, round by round, so that what else the machine does hits all of them.
 *
 * <p>{@link io.rivulet.bench.versus.Subject} starts a broker, a {@link io.rivulet.bench.versus.Case} drives it and yields
 * {@link io.rivulet.bench.versus.Figures}; cases and what they share run on the command's thread, load on threads of its own.
 */
@NullMarked
package io.rivulet.bench.versus;

import org.jspecify.annotations.NullMarked;
