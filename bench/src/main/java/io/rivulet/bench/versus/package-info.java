/**
 * Rivulet beside Apache Kafka: a command enters, a table of ratios and plots leave. Subjects take turns, round by
 * round, so that what else the machine does hits all of them.
 *
 * <p>A {@link io.rivulet.bench.versus.Case} starts a broker, drives it and returns {@link
 * io.rivulet.bench.versus.Figures}. Cases run on the command's thread, load on threads of its own.
 */
@NullMarked
package io.rivulet.bench.versus;

import org.jspecify.annotations.NullMarked;
