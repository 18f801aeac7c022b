/**
 * What the image has in common with apache/kafka. Enters: environment variables, the properties of a mounted file, the
 * size of the heap, files with secrets. Leaves: the broker's properties, and the log lines that show that it is ready.
 *
 * <p>Functions without state; any thread.
 */
@NullMarked
package io.rivulet.broker.container;

import org.jspecify.annotations.NullMarked;
