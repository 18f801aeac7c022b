/**
 * The command line. Arguments enter, an exit code leaves. Each sub-command is one class; {@link
 * io.rivulet.broker.cli.Rivulet} only lists them. Runs on the main thread.
 */
@NullMarked
package io.rivulet.broker.cli;

import org.jspecify.annotations.NullMarked;
