/**
 * Compares Rivulet and Apache Kafka. Enters: a command. Leaves: a table of ratios, and plots. Subjects take turns, so
 * that other load of the machine affects all of them.
 *
 * <p>A {@link io.rivulet.bench.versus.Case} starts a broker, runs load on it and returns {@link
 * io.rivulet.bench.load.Figures}.
 *
 * <p>Threads: cases run on the command's thread, each load on its own.
 */
@NullMarked
package io.rivulet.bench.versus;

import org.jspecify.annotations.NullMarked;
