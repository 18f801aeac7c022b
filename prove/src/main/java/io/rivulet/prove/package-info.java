/**
 * {@code bin/rivulet prove}: runs checks, prints a table with a row for each, and how to repeat what failed.
 *
 * <p>Enters: names of checks, a seed, a number of points or minutes. Leaves: the table, an exit code, and the files of
 * failures.
 *
 * <p>Thread: the caller's; points of a check may run side by side on threads of the {@link Runner}.
 */
@NullMarked
package io.rivulet.prove;

import org.jspecify.annotations.NullMarked;
