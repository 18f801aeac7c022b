/**
 * {@code bin/rivulet top}: what a broker does, again and again, in a terminal or as JSON. Enters: the page /metrics of
 * a broker. Leaves: lines on standard output.
 *
 * <p>Two readings of the page make a frame, which has rates. The server may be anything, so time, size and names are
 * bounded. Main thread.
 */
@NullMarked
package io.rivulet.broker.top;

import org.jspecify.annotations.NullMarked;
