/**
 * Measures the store in this process, without a broker: many small messages in a million queues, with the phases of the
 * Tianchi middleware contest of 2018. Enters: a command. Leaves: figures and metrics of the store.
 *
 * <p>Threads: those of producers and checkers; all others belong to the store.
 */
@NullMarked
package io.rivulet.bench.queues;

import org.jspecify.annotations.NullMarked;
