/**
 * How far groups are behind: the lag of each group and topic, in offsets and in seconds.
 *
 * <p>Enters: committed offsets of groups, ends of queues, timestamps of batches. Leaves: a bounded number of {@link
 * io.rivulet.broker.lag.LagSeries}.
 *
 * <p>Threads: a round begins with a scrape. It walks over committed offsets on the coordinator thread, in slices, and
 * reads timestamps on the read threads.
 */
@NullMarked
package io.rivulet.broker.lag;

import org.jspecify.annotations.NullMarked;
