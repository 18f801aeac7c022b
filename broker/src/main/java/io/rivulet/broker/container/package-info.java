/**
 * What the image has in common with apache/kafka. Enters: environment variables, the properties of a mounted file, the
 * size of the heap. Leaves: the broker's properties, and the log lines that show that it is ready.
 *
 * <p>Pure functions; any thread.
 */
@NullMarked
package io.rivulet.broker.container;

import org.jspecify.annotations.NullMarked;
