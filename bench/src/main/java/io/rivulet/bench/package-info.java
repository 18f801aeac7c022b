/**
 * Benchmarks: programs that a person runs, and JMH beside the packages that it measures. Results are kept in
 * bench/results with the machine and the command that made them.
 */
@NullMarked
package io.rivulet.bench;

import org.jspecify.annotations.NullMarked;
