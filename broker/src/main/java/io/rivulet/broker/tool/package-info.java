/**
 * Kafka's command line tools as sub-commands, with the options and the output that scripts and health checks rely on.
 * Enters: options, standard input. Leaves: standard output and an exit code: 0, 1 if the broker refuses the request or
 * can't be reached, 2 for wrong options.
 *
 * <p>Each command is one class over {@link io.rivulet.broker.tool.Tool}. Main thread.
 */
@NullMarked
package io.rivulet.broker.tool;

import org.jspecify.annotations.NullMarked;
