/**
 * Many small messages in a million queues, phase by phase as the Tianchi middleware contest of 2018 had it: put, random
 * index checks, full reads of a part of the queues.
 *
 * <p>Producer and checker threads are the benchmark's own; everything else is the store's.
 */
@NullMarked
package io.rivulet.bench.queues;

import org.jspecify.annotations.NullMarked;
