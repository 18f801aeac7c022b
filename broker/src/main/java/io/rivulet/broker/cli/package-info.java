/**
 * The command line. Enters: arguments. Leaves: an exit code. Each command is one class; {@link
 * io.rivulet.broker.cli.Rivulet} lists them. Main thread.
 */
@NullMarked
package io.rivulet.broker.cli;

import org.jspecify.annotations.NullMarked;
