/**
 * The console: what a browser shows of this broker (0043).
 *
 * <p>In: requests for pages, from the thread of the pages. Out: files of the page, JSON, streams of records. What may
 * wait for the disk or takes long runs on a read thread, one task at a time.
 */
@NullMarked
package io.rivulet.broker.console;

import org.jspecify.annotations.NullMarked;
