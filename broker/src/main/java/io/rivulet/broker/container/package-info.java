/**
 * What the image promises to those who know apache/kafka's. Enters: environment variables, the properties of a mounted file, the size
 * of the heap. Leaves: the broker's properties, and the lines by which others see that it is ready.
 *
 * <p>Pure functions; any thread.
 */
@NullMarked
package io.rivulet.broker.container;

import org.jspecify.annotations.NullMarked;
