/**
 * Measures the rooms of the store, each by itself.
 *
 * <p>Enters: sizes on the command line. Leaves: one line of numbers for each run.
 *
 * <p>Thread: the main thread plays the log writer.
 */
@NullMarked
package io.rivulet.bench.store;

import org.jspecify.annotations.NullMarked;
