/**
 * The log writer: the one thread that puts all entries in order.
 *
 * <p>Enters: commands of any thread, over a bounded queue. Leaves: groups to the log; when they are durable, their
 * entries to the views, and completions to the callers.
 *
 * <p>Thread: log writer, except {@link io.rivulet.store.writer.LogWriter#offer}.
 */
@NullMarked
package io.rivulet.store.writer;

import org.jspecify.annotations.NullMarked;
