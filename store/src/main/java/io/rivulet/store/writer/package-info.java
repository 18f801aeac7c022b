/**
 * The log writer: the one thread that orders everything.
 *
 * <p>Enters: requests of any thread, over a bounded queue. Leaves: groups to the log, and when they are durable their entries
 * to the views and completions to whoever asked.
 *
 * <p>Thread: log writer, but for {@link io.rivulet.store.writer.LogWriter#offer}.
 */
@NullMarked
package io.rivulet.store.writer;

import org.jspecify.annotations.NullMarked;
